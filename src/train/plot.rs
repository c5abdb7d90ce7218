//! Curves as SVG: small, self-contained, and the same for the same numbers.

use std::fmt::Write;

/// A curve with its name and colour.
pub struct Curve<'a> {
    /// What it shows.
    pub name: &'a str,
    /// An SVG colour.
    pub color: &'a str,
    /// Its points.
    pub points: Vec<(f64, f64)>,
    /// Whether its points are marked.
    pub marked: bool,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 64.0;
const BOTTOM: f64 = 48.0;
const EDGE: f64 = 24.0;
const TICKS: u32 = 5;

/// Draws curves over the smallest range that holds them all.
pub fn svg(title: &str, axes: [&str; 2], curves: &[Curve]) -> String {
    let points = || curves.iter().flat_map(|curve| curve.points.iter().copied());
    let range = |values: &mut dyn Iterator<Item = f64>| {
        let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
        if low < high { (low, high) } else { (low.min(0.0), low.max(0.0) + 1.0) }
    };
    let (left, right) = range(&mut points().map(|(x, _)| x));
    let (low, high) = range(&mut points().map(|(_, y)| y));
    let across = |x: f64| LEFT + (x - left) / (right - left) * (WIDTH - LEFT - EDGE);
    let down = |y: f64| HEIGHT - BOTTOM - (y - low) / (high - low) * (HEIGHT - BOTTOM - EDGE - 16.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"18\" font-size=\"14\">{title}</text>\n"
    );
    // Writing to a string cannot fail.
    for tick in 0..=TICKS {
        let part = f64::from(tick) / f64::from(TICKS);
        let (x, y) = (left + part * (right - left), low + part * (high - low));
        let (at_x, at_y) = (across(x), down(y));
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" y1=\"{at_y:.1}\" x2=\"{:.1}\" y2=\"{at_y:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\
             <text x=\"{at_x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            WIDTH - EDGE,
            LEFT - 6.0,
            at_y + 4.0,
            short(y),
            HEIGHT - BOTTOM + 18.0,
            short(x)
        );
    }
    let (middle, foot, side) = ((LEFT + WIDTH - EDGE) / 2.0, HEIGHT - 10.0, HEIGHT / 2.0);
    let [across_name, down_name] = axes;
    let _ = writeln!(
        out,
        "<text x=\"{middle:.1}\" y=\"{foot:.1}\" text-anchor=\"middle\">{across_name}</text>\
         <text transform=\"translate(14 {side:.1}) rotate(-90)\" text-anchor=\"middle\">{down_name}</text>"
    );
    for (place, curve) in curves.iter().enumerate() {
        let color = curve.color;
        let line: Vec<String> = curve.points.iter().map(|&(x, y)| format!("{:.1},{:.1}", across(x), down(y))).collect();
        let _ = writeln!(out, "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\"/>", line.join(" "));
        for &(x, y) in curve.points.iter().filter(|_| curve.marked) {
            let _ = writeln!(out, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"{color}\"/>", across(x), down(y));
        }
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"{color}\">{}</text>",
            WIDTH - EDGE - 4.0,
            EDGE + 16.0 * (place as f64 + 1.0),
            curve.name
        );
    }
    out.push_str("</svg>\n");
    out
}

/// A number for an axis.
fn short(value: f64) -> String {
    if value.abs() >= 1e6 {
        format!("{:.1}M", value / 1e6)
    } else if value.abs() >= 1e4 {
        format!("{:.0}k", value / 1e3)
    } else {
        let text = format!("{value:.3}");
        text.trim_end_matches('0').trim_end_matches('.').to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_are_drawn_within_the_picture() {
        let curve = |points| Curve { name: "loss", color: "#06c", points, marked: true };
        for points in [vec![], vec![(1.0, 2.0)], vec![(0.0, 1.5), (2_000_000.0, 1.1)]] {
            let text = svg("a run", ["games", "loss"], &[curve(points.clone())]);
            assert!(text.starts_with("<svg") && text.ends_with("</svg>\n"));
            assert_eq!(text.matches("<circle").count(), points.len());
            assert!(!text.contains("NaN") && !text.contains("inf"));
        }
        assert_eq!((short(2_500_000.0), short(0.5), short(30_000.0)), ("2.5M".into(), "0.5".into(), "30k".into()));
    }
}
