//! A review as one page that needs nothing else: the curve of the expectation, luck and error, every turn with its dice.

use super::report::points;
use super::review::{Class, Player, Review, TurnReview};
use crate::variant::find;
use std::fmt::Write;

const WIDTH: f64 = 960.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = 14.0;
/// The curve's room, and below it that of luck and dice.
const TOP: f64 = 16.0;
const CURVE: f64 = 280.0;
const LUCK: f64 = 90.0;
const DICE: f64 = 64.0;
const HEIGHT: f64 = TOP + CURVE + 20.0 + LUCK + DICE;
/// The luck that fills half of its room.
const MOST_LUCK: f64 = 0.4;
/// From so many turns on there is no room for their dice under the curve.
const CROWDED: usize = 64;

const STYLE: &str = "\
:root{color-scheme:light}body{font:15px/1.5 system-ui,sans-serif;color:#222;background:#fafaf8;margin:0 auto;\
max-width:1000px;padding:24px}h1{font-size:22px;margin:0}p.sub{color:#666;margin:2px 0 18px}\
svg{width:100%;height:auto;background:#fff;border:1px solid #e4e2dc;border-radius:8px}\
table{border-collapse:collapse;width:100%;margin-top:20px;background:#fff;border:1px solid #e4e2dc}\
th,td{padding:5px 9px;text-align:right;border-top:1px solid #eee;vertical-align:top;white-space:nowrap}\
th{background:#f4f2ec;font-weight:600;font-size:13px;color:#555}td.l,th.l{text-align:left}\
td.turn{font-family:ui-monospace,monospace;font-size:13.5px;white-space:normal}tr.b td{background:#f7f6f2}\
.die{display:inline-block;min-width:19px;height:21px;line-height:20px;text-align:center;border:1px solid #999;\
border-radius:4px;margin-right:2px;background:#fff}tr.b .die{background:#444;color:#fff;border-color:#444}\
.up{color:#1a7f37}.down{color:#b42318}.doubtful{background:#fdf3c7}.mistake{background:#fde0c2}\
.blunder{background:#f9c9c4}.tag{border-radius:9px;padding:0 8px;font-size:12.5px}\
details{font-size:13px;color:#555}summary{cursor:pointer;color:#888}.key{color:#666;font-size:13px}";

/// The page.
pub fn page(review: &Review) -> String {
    let [white, black] = review.names.each_ref().map(|name| escaped(name));
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{white} – {black}</title>\n\
         <style>{STYLE}</style></head><body>\n<h1>{white} – {black} <small>{}</small></h1>\n\
         <p class=\"sub\">{}, {} turns</p>\n",
        escaped(&review.result),
        escaped(review.variant),
        review.turns.len()
    );
    out.push_str(&chart(review));
    out.push_str(
        "<p class=\"key\">The line is White's expected score. It moves with the throws (luck: the bars, up where White gains) and \
         where a turn was not the best (error: <span class=\"tag doubtful\">doubtful</span> \
         <span class=\"tag mistake\">mistake</span> <span class=\"tag blunder\">blunder</span>). Numbers are hundredths of \
         a game, the mover's.</p>\n",
    );
    out.push_str(&players(review));
    out.push_str(&turns(review));
    out.push_str("</body></html>\n");
    out
}

/// A die as it is shown: a man where each die names one, else its number.
fn face(variant: &str, die: char) -> char {
    let men = find(variant).is_some_and(|variant| variant.has_letter_rolls());
    match die {
        '1' if men => '♟',
        '2' if men => '♞',
        '3' if men => '♝',
        '4' if men => '♜',
        '5' if men => '♛',
        '6' if men => '♚',
        other => other,
    }
}

/// Text that is safe in a page.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

/// A turn as people read it.
fn spaced(turn: &str) -> String {
    if turn == "0000" { "pass".to_string() } else { escaped(&turn.replace(',', " ")) }
}

fn color(class: Class) -> &'static str {
    match class {
        Class::Fine => "#8a8",
        Class::Doubtful => "#d8b100",
        Class::Mistake => "#ea7a17",
        Class::Blunder => "#d1261b",
    }
}

/// What is White's of a share that is the mover's.
fn whites(turn: &TurnReview, share: f64) -> f64 {
    if turn.side == 'w' { share } else { 1.0 - share }
}

/// Where a turn stands on the chart, of so many.
fn across(turn: f64, count: usize) -> f64 {
    LEFT + turn / count.max(1) as f64 * (WIDTH - LEFT - RIGHT)
}

/// Where a share of a game stands.
fn down(share: f64) -> f64 {
    TOP + (1.0 - share) * CURVE
}

/// The middle of the bars of luck.
const MIDDLE: f64 = TOP + CURVE + 20.0 + LUCK / 2.0;

fn chart(review: &Review) -> String {
    let mut out = grid();
    let count = review.turns.len();
    let mut line = vec![format!("{:.1},{:.1}", across(0.0, count), down(review.start))];
    let mut marks = String::new();
    for (place, turn) in review.turns.iter().enumerate() {
        let at = place as f64;
        let (best, played) = (whites(turn, turn.played + turn.error), whites(turn, turn.played));
        let before = turn.before.map(|before| (0.1, whites(turn, before)));
        for (part, share) in before.into_iter().chain([(0.5, best), (0.9, played)]) {
            line.push(format!("{:.1},{:.1}", across(at + part, count), down(share)));
        }
        marks.push_str(&mark(turn, at, count));
        if count <= CROWDED {
            marks.push_str(&dice(review.variant, turn, across(at + 0.5, count)));
        }
    }
    line.extend(review.white().map(|end| format!("{:.1},{:.1}", across(count as f64, count), down(end))));
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#225c9c\" stroke-width=\"2\" stroke-linejoin=\"round\"/>",
        line.join(" ")
    );
    out + &marks + "</svg>\n"
}

/// The empty chart.
fn grid() -> String {
    let mut out =
        format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"system-ui,sans-serif\" font-size=\"11\">\n");
    let shares = [0.0, 0.25, 0.5, 0.75, 1.0];
    let names = shares.map(|share| (down(share), format!("{:.0} %", share * 100.0), share == 0.5));
    for (y, name, strong) in names.into_iter().chain([(MIDDLE, "luck".to_string(), true)]) {
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\" stroke=\"{}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#777\">{name}</text>",
            WIDTH - RIGHT,
            if strong { "#bbb" } else { "#eee" },
            LEFT - 6.0,
            y + 4.0,
        );
    }
    out
}

/// A dot for an error and a bar for luck.
fn mark(turn: &TurnReview, at: f64, count: usize) -> String {
    let mut out = String::new();
    let hint = escaped(&hint(turn));
    if turn.class != Class::Fine && !turn.forced {
        let _ = writeln!(
            out,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"5\" fill=\"{}\"><title>{hint}</title></circle>",
            across(at + 0.9, count),
            down(whites(turn, turn.played)),
            color(turn.class)
        );
    }
    if let Some(luck) = turn.luck {
        let tall = (luck.abs() / MOST_LUCK).min(1.0) * LUCK / 2.0;
        let y = if (luck > 0.0) == (turn.side == 'w') { MIDDLE - tall } else { MIDDLE };
        let fill = if turn.side == 'w' { "#d9cfa8" } else { "#555" };
        let _ = writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{tall:.1}\" fill=\"{fill}\"><title>{hint}</title>\
             </rect>",
            across(at + 0.2, count),
            across(0.6, count) - LEFT
        );
    }
    out
}

/// The dice of a turn, one below the other.
fn dice(variant: &str, turn: &TurnReview, x: f64) -> String {
    let mut out = String::new();
    let (fill, ink) = if turn.side == 'w' { ("#fff", "#222") } else { ("#444", "#fff") };
    for (row, die) in turn.rolls.last().into_iter().flat_map(|roll| roll.chars()).enumerate() {
        let y = TOP + CURVE + 24.0 + LUCK + row as f64 * 19.0;
        let _ = writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"{y:.1}\" width=\"14\" height=\"17\" rx=\"3\" fill=\"{fill}\" stroke=\"#777\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"{ink}\">{}</text>",
            x - 7.0,
            y + 12.5,
            face(variant, die)
        );
    }
    out
}

fn hint(turn: &TurnReview) -> String {
    let luck = turn.luck.map_or(String::new(), |luck| format!(", luck {}", points(luck)));
    let error = if turn.forced { String::new() } else { format!(", error {}", points(-turn.error)) };
    format!("{}{} {} {}{luck}{error}", turn.number, turn.side, turn.rolls.join(" "), turn.turn)
}

fn signed(share: f64) -> String {
    let text = points(share);
    let class = match text.as_bytes().first() {
        Some(b'+') => "up",
        Some(b'-') => "down",
        _ => "",
    };
    format!("<span class=\"{class}\">{text}</span>")
}

fn players(review: &Review) -> String {
    let mut out = String::from(
        "<table><tr><th class=\"l\">player</th><th>luck</th><th>errors</th><th>fine</th><th>doubtful</th><th>mistakes</th>\
         <th>blunders</th><th>result without luck</th></tr>\n",
    );
    let seats = ["White", "Black"].into_iter().zip(&review.names).zip(&review.players);
    for ((seat, name), player) in seats {
        let Player { luck, error, classes, adjusted, .. } = player;
        let counts: String = classes.iter().map(|count| format!("<td>{count}</td>")).collect();
        let adjusted = adjusted.map_or("–".to_string(), |adjusted| format!("{adjusted:.3}"));
        let _ = writeln!(
            out,
            "<tr><td class=\"l\">{seat}: {}</td><td>{}</td><td>{}</td>{counts}<td>{adjusted}</td></tr>",
            escaped(name),
            signed(*luck),
            signed(-error)
        );
    }
    out + "</table>\n"
}

fn turns(review: &Review) -> String {
    let mut out = String::from(
        "<table><tr><th class=\"l\">turn</th><th class=\"l\">dice</th><th>before</th><th>luck</th>\
         <th class=\"l\">played</th><th>worth</th><th>error</th><th class=\"l\">better</th></tr>\n",
    );
    for turn in &review.turns {
        let dice: String = turn
            .rolls
            .iter()
            .flat_map(|roll| roll.chars())
            .map(|die| format!("<span class=\"die\">{}</span>", face(review.variant, die)))
            .collect();
        let before = turn.before.map_or(String::new(), |before| format!("{:.1}", before * 100.0));
        let luck = turn.luck.map_or(String::new(), signed);
        let error = if turn.forced { String::new() } else { signed(-turn.error) };
        let row = if turn.side == 'b' { " class=\"b\"" } else { "" };
        let moves = spaced(&turn.turn);
        let _ = writeln!(
            out,
            "<tr{row}><td class=\"l\">{}{}</td><td class=\"l\">{dice}</td><td>{before}</td><td>{luck}</td>\
             <td class=\"l turn\">{moves}</td><td>{:.1}</td><td>{error}</td><td class=\"l\">{}</td></tr>",
            turn.number,
            turn.side,
            turn.played * 100.0,
            better(turn)
        );
    }
    out + "</table>\n"
}

/// The verdict and the alternatives, folded away where nothing was wrong.
fn better(turn: &TurnReview) -> String {
    if turn.forced || turn.alternatives.is_empty() {
        return String::new();
    }
    let word = turn.class.word();
    let tag = match turn.class {
        Class::Fine => String::new(),
        _ => format!("<span class=\"tag {word}\">{word}</span> "),
    };
    let list: String = turn
        .alternatives
        .iter()
        .map(|one| {
            let error = one.error.map_or(String::new(), |error| format!(" ± {:.1}", error * 196.0));
            format!("{:.1}{error} &nbsp;{}<br>", one.expectation * 100.0, spaced(&one.turn))
        })
        .collect();
    format!("{tag}<details><summary>turns</summary>{list}</details>")
}
