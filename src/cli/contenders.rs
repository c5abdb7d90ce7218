//! `-engine cmd=… name=… …`: who takes part in a match.

use super::builtin::Builtin;
use crate::arena::{Contender, Engine, Fault, Pace, Player, Program, Protocol, Setup, TimeControl};
use crate::eval::Choice;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A contender as the command line describes it.
#[derive(Clone, Debug)]
pub struct Description {
    /// Its name, where one was given.
    pub name: Option<String>,
    pace: Pace,
    restart: bool,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// With the file of the network that it uses instead of its own, and the level that it plays at.
    Builtin(Builtin, Option<String>, Option<u32>),
    Process(Setup),
}

/// The words `key=value` of one argument.
pub fn key_values(words: &[String]) -> Result<Vec<(&str, &str)>, String> {
    let pair = |word: &'_ String| word.split_once('=').map(|(key, _)| key.len());
    words
        .iter()
        .map(|word| {
            let at = pair(word).filter(|&at| at > 0).ok_or_else(|| format!("'{word}' is not of the form key=value"))?;
            let (key, value) = word.split_at(at);
            Ok((key, value.strip_prefix('=').unwrap_or(value)))
        })
        .collect()
}

/// A number of a key.
pub fn number<T: std::str::FromStr>(key: &str, value: &str) -> Result<T, String> {
    value.parse().map_err(|_| format!("'{key}' needs a number, not '{value}'"))
}

/// `on`, `off`, `true`, `false`.
pub fn switch(key: &str, value: &str) -> Result<bool, String> {
    match value {
        "on" | "true" => Ok(true),
        "off" | "false" => Ok(false),
        _ => Err(format!("'{key}' needs on or off, not '{value}'")),
    }
}

impl Description {
    /// Reads the words of an engine, after those that hold for each.
    pub fn parse(each: &[String], own: &[String], patience: Duration) -> Result<Description, String> {
        let mut description =
            Description { name: None, pace: Pace::default(), restart: false, kind: Kind::Process(Setup::default()) };
        let mut setup = Setup { patience, ..Setup::default() };
        let mut command = None;
        for (key, value) in key_values(each)?.into_iter().chain(key_values(own)?) {
            match key {
                "cmd" => command = Some(value),
                "name" => description.name = Some(value.to_string()),
                "args" => setup.program.arguments = split_arguments(value)?,
                "dir" => setup.program.directory = Some(value.into()),
                "proto" => {
                    setup.protocol = match value {
                        "uci" => Protocol::Uci,
                        "ugi" => Protocol::Ugi,
                        _ => return Err(format!("'proto' is uci or ugi, not '{value}'")),
                    }
                }
                "restart" => description.restart = switch(key, value)?,
                _ => match key.strip_prefix("option.") {
                    Some(option) => {
                        // What stands by an engine outdoes what holds for each.
                        setup.options.retain(|(known, _)| known != option);
                        setup.options.push((option.to_string(), value.to_string()));
                    }
                    None => description.pace_word(key, value)?,
                },
            }
        }
        let command = command.filter(|command| !command.is_empty()).ok_or("an engine needs cmd=…")?;
        match command.strip_prefix("builtin:") {
            Some(name) => {
                let builtin = Builtin::parse(name)
                    .ok_or_else(|| format!("no built-in player '{name}': there are {}", Builtin::NAMES))?;
                let (mut file, mut elo) = (None, None);
                for (option, value) in setup.options {
                    match option.as_str() {
                        "EvalFile" if builtin == Builtin::Hazard => file = Some(value),
                        "UCI_Elo" if builtin.thinks() => elo = Some(number("UCI_Elo", &value)?),
                        _ => return Err(format!("the built-in player '{name}' has no option {option}")),
                    }
                }
                description.kind = Kind::Builtin(builtin, file, elo);
            }
            None => {
                setup.program.command = absolute(command, &setup.program);
                description.kind = Kind::Process(setup);
            }
        }
        let needs_pace = match &description.kind {
            Kind::Builtin(builtin, ..) => builtin.thinks(),
            Kind::Process(_) => true,
        };
        let Pace { clock, movetime, depth, nodes, .. } = &description.pace;
        if needs_pace && clock.is_none() && movetime.is_none() && depth.is_none() && nodes.is_none() {
            return Err(format!("the engine '{command}' needs one of tc, st, depth and nodes"));
        }
        Ok(description)
    }

    fn pace_word(&mut self, key: &str, value: &str) -> Result<(), String> {
        let pace = &mut self.pace;
        match key {
            "tc" if matches!(value, "inf" | "infinite") => pace.clock = None,
            "tc" => pace.clock = Some(TimeControl::parse(value).map_err(|error| error.to_string())?),
            "st" => {
                let seconds = number::<f64>(key, value)?;
                let sensible = (0.001..1e6).contains(&seconds);
                pace.movetime = Some(Duration::from_secs_f64(if sensible {
                    seconds
                } else {
                    return Err(format!("'st={value}'"));
                }));
            }
            "timemargin" => pace.margin = Duration::from_millis(number(key, value)?),
            "depth" | "plies" => pace.depth = Some(number(key, value)?),
            "nodes" => pace.nodes = Some(number(key, value)?),
            _ => return Err(format!("an engine has no '{key}'")),
        }
        Ok(())
    }

    /// What it is called unless it says otherwise.
    pub fn default_name(&self) -> String {
        match &self.kind {
            Kind::Builtin(builtin, ..) => builtin.name().to_string(),
            Kind::Process(setup) => {
                let file = Path::new(&setup.program.command).file_name();
                file.map_or_else(|| setup.program.command.clone(), |file| file.to_string_lossy().into_owned())
            }
        }
    }

    /// How long it may think.
    #[cfg(test)]
    pub fn pace(&self) -> &Pace {
        &self.pace
    }

    /// The contender of a match.
    pub fn contender(&self, name: String, variant: &'static str, chess960: bool) -> Result<Contender<'static>, String> {
        let kind = self.kind.clone();
        let network = match &kind {
            Kind::Builtin(_, Some(path), _) => {
                Some(Choice::load(path, variant).map_err(|error| format!("'{path}': {error}"))?)
            }
            _ => None,
        };
        let make = move |halt: &AtomicBool| -> Result<Box<dyn Player>, Fault> {
            match &kind {
                Kind::Builtin(builtin, _, elo) => Ok(builtin.player(variant, network.as_ref(), *elo)),
                Kind::Process(setup) => Ok(Box::new(Engine::start(setup, variant, chess960, halt)?)),
            }
        };
        Ok(Contender { name, pace: self.pace.clone(), restart: self.restart, make: Box::new(make) })
    }
}

/// A command with a path in it, made independent of the folder that the engine runs in.
fn absolute(command: &str, program: &Program) -> String {
    let path = Path::new(command);
    if program.directory.is_none() || path.is_absolute() || path.components().count() < 2 {
        return command.to_string();
    }
    path.canonicalize().map_or_else(|_| command.to_string(), |path| path.to_string_lossy().into_owned())
}

/// Arguments separated by spaces, with double quotes around those that hold some.
fn split_arguments(text: &str) -> Result<Vec<String>, String> {
    let mut arguments = Vec::new();
    let (mut current, mut open, mut any) = (String::new(), false, false);
    for letter in text.chars() {
        match letter {
            '"' => (open, any) = (!open, true),
            ' ' if !open => {
                if any || !current.is_empty() {
                    arguments.push(std::mem::take(&mut current));
                }
                any = false;
            }
            _ => current.push(letter),
        }
    }
    if open {
        return Err(format!("a quote is left open in args={text}"));
    }
    if any || !current.is_empty() {
        arguments.push(current);
    }
    Ok(arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| word.to_string()).collect()
    }

    fn parse(each: &[&str], own: &[&str]) -> Result<Description, String> {
        Description::parse(&words(each), &words(own), Duration::from_secs(1))
    }

    #[test]
    fn engines_are_described() {
        let engine = parse(
            &["tc=10+0.1", "option.Hash=16", "timemargin=50"],
            &["cmd=./engine", "args=-a \"b c\" \"\"", "option.Hash=32", "name=E=1", "proto=ugi"],
        )
        .unwrap();
        assert_eq!(engine.name.as_deref(), Some("E=1"));
        assert_eq!(engine.pace().to_string(), "10+0.1");
        let Kind::Process(setup) = engine.kind else { panic!("a process") };
        assert_eq!(setup.program.arguments, ["-a", "b c", ""]);
        assert_eq!(setup.options, [("Hash".to_string(), "32".to_string())]);
        assert_eq!(setup.protocol, Protocol::Ugi);
    }

    #[test]
    fn nonsense_is_named() {
        for (own, wanted) in [
            (&["name=x"][..], "an engine needs cmd=…"),
            (&["cmd=x"][..], "the engine 'x' needs one of tc, st, depth and nodes"),
            (&["cmd=x", "depth"][..], "'depth' is not of the form key=value"),
            (&["cmd=x", "depth=y"][..], "'depth' needs a number, not 'y'"),
            (&["cmd=x", "speed=1"][..], "an engine has no 'speed'"),
            (&["cmd=x", "proto=xboard"][..], "'proto' is uci or ugi, not 'xboard'"),
            (&["cmd=builtin:genius"][..], "no built-in player 'genius'"),
            (&["cmd=builtin:hazard"][..], "the engine 'builtin:hazard' needs one of"),
            (&["cmd=x", "tc=fast"][..], "'fast' is no time control"),
            (&["cmd=x", "args=\"a"][..], "a quote is left open"),
        ] {
            let error = parse(&[], own).unwrap_err();
            assert!(error.starts_with(wanted), "{error}");
        }
        assert!(parse(&[], &["cmd=builtin:greedy"]).is_ok());
    }
}
