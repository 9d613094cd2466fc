//! The report as one page that needs nothing else, and as pictures.

use core::fmt::Write as _;

use quadrille_games::picture::{self, Picture, escape};
use quadrille_games::{AnyLine, Side};

use quadrille_net::sanitize::one_line;

use super::graph::{STYLE as GRAPH_STYLE, graph};
use super::judge::Judgement;
use super::report::{GameReport, MoveReport};
use super::text::{best_words, time_words, title};

const STYLE: &str = "\
:root{color-scheme:light dark;--ground:#f6f4f0;--surface:#fff;--text:#1f2328;--muted:#5c626b;--line:#e3dfd8;--accent:#0f766e}\
@media(prefers-color-scheme:dark){:root{--ground:#16181b;--surface:#1e2125;--text:#e7e5e1;--muted:#a2a8af;--line:#2c3036;--accent:#5ec4b6}}\
body{margin:0 auto;max-width:1000px;padding:24px 16px;background:var(--ground);color:var(--text);font:15px/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums}\
h1{font-size:28px;margin:0 0 8px}h2{font-size:20px;margin:0 0 4px}h3{font-size:16px;margin:16px 0 8px}p{margin:4px 0}\
section{background:var(--surface);border:1px solid var(--line);border-radius:8px;padding:16px;margin:16px 0}\
table{border-collapse:collapse;width:100%}th,td{text-align:right;padding:4px 8px;border-bottom:1px solid var(--line)}\
th:first-child,td:first-child,td.t,th.t{text-align:left}th{color:var(--muted);font-weight:500}\
.m{color:var(--muted)}a{color:var(--accent)}.boards{display:grid;grid-template-columns:repeat(auto-fill,minmax(250px,1fr));gap:16px}\
figure{margin:0}figcaption{font-size:13px}svg{display:block;width:100%;height:auto}details{margin-top:12px}summary{cursor:pointer;color:var(--muted)}";

/// One page about all games.
pub fn page(reports: &[GameReport], kept: &[(u64, u64, String)]) -> String {
    let mut out = String::from(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>Analysis</title>",
    );
    let _ = write!(
        out,
        "<style>{STYLE}{}{GRAPH_STYLE}</style></head><body><h1>Analysis</h1>",
        picture::STYLE
    );
    if reports.len() > 1 {
        contents(&mut out, reports);
    }
    for report in reports {
        game(&mut out, report);
    }
    if !kept.is_empty() {
        out.push_str("<section><h2>Kept as they were</h2>");
        for (number, line, reason) in kept {
            let reason = escape(&one_line(reason));
            let _ = write!(out, "<p>Game {number}, line {line}: {reason}</p>");
        }
        out.push_str("</section>");
    }
    out.push_str(
        "<p class=\"m\">Win chance: the chance of a win and half of that of a draw. A move that loses \
         5 points of it is an inaccuracy (?!), 10 a mistake (?), 15 a blunder (??).</p></body></html>\n",
    );
    out
}

fn contents(out: &mut String, reports: &[GameReport]) {
    out.push_str(
        "<section><table><tr><th>Game</th><th class=\"t\">White</th><th>accuracy</th>\
         <th class=\"t\">Black</th><th>accuracy</th><th>result</th></tr>",
    );
    for report in reports {
        let [white, black] = [0, 1].map(|side: usize| accuracy(report, side));
        let heading = &report.heading;
        let _ = write!(
            out,
            "<tr><td><a href=\"#game-{0}\">{0}</a></td><td class=\"t\">{1}</td><td>{white}</td>\
             <td class=\"t\">{2}</td><td>{black}</td><td>{3}</td></tr>",
            report.number,
            foreign(&heading.white),
            foreign(&heading.black),
            heading.result
        );
    }
    out.push_str("</table></section>");
}

fn accuracy(report: &GameReport, side: usize) -> String {
    let known = report.players[side].accuracy;
    known.map_or_else(|| "–".into(), |accuracy| format!("{accuracy:.1}"))
}

/// What others wrote, fit for markup.
fn foreign(text: &str) -> String {
    escape(&one_line(text))
}

fn game(out: &mut String, report: &GameReport) {
    let heading = &report.heading;
    let _ = write!(
        out,
        "<section id=\"game-{}\"><h2>{}</h2><p class=\"m\">{}</p>",
        report.number,
        escape(title(report).trim_end()),
        [&heading.event, &heading.site, &heading.date]
            .into_iter()
            .filter(|text| !text.starts_with('?'))
            .map(|text| foreign(text))
            .chain([foreign(&report.engines.join(", "))])
            .collect::<Vec<String>>()
            .join(" · ")
    );
    players(out, report);
    let _ = write!(out, "<h3>White's win chance</h3>{}", graph(report, false));
    if !report.critical.is_empty() {
        out.push_str("<h3>Critical moments</h3><div class=\"boards\">");
        for (played, svg) in moments(report, false) {
            let _ = write!(
                out,
                "<figure>{svg}<figcaption>{}</figcaption></figure>",
                caption(report, played)
            );
        }
        out.push_str("</div>");
    }
    moves(out, report);
    out.push_str("</section>");
}

fn players(out: &mut String, report: &GameReport) {
    out.push_str(
        "<table><tr><th></th><th>accuracy</th><th>?!</th><th>?</th><th>??</th><th class=\"t\">time</th></tr>",
    );
    let names = [&report.heading.white, &report.heading.black];
    for (index, (name, side)) in names.into_iter().zip(Side::BOTH).enumerate() {
        let player = &report.players[index];
        let name = if name == "?" {
            side.to_string()
        } else {
            foreign(name)
        };
        let counts = Judgement::ALL.map(|judgement| player.count(judgement));
        let time = player.time.as_ref().map(time_words).unwrap_or_default();
        let _ = write!(
            out,
            "<tr><td>{name}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"t\">{time}</td></tr>",
            accuracy(report, index),
            counts[0],
            counts[1],
            counts[2]
        );
    }
    out.push_str("</table>");
}

fn caption(report: &GameReport, played: &MoveReport) -> String {
    let sign = played.judgement.map_or("", Judgement::sign);
    let mut words = format!("<b>{}{sign}</b>", escape(&played.numbered()));
    if let Some((before, after)) = report.swing(played.ply) {
        let percent = |chance: f64| (chance * 100.0).round();
        let _ = write!(words, " {} % became {} %.", percent(before), percent(after));
    }
    if let Some(line) = report.best_line(played.ply) {
        let _ = write!(
            words,
            " Better: {}",
            escape(&best_words(played, &line.notation))
        );
    }
    words
}

/// Every move with its evaluation, folded away.
fn moves(out: &mut String, report: &GameReport) {
    out.push_str(
        "<details><summary>All moves</summary><table><tr><th>move</th><th>White's chance</th>\
         <th>loss</th><th class=\"t\">better</th></tr>",
    );
    for played in &report.moves {
        let chance = report.positions.get(played.ply).and_then(|p| p.chance);
        let chance = chance.map_or_else(String::new, |c| format!("{:.0} %", c * 100.0));
        let loss = played.loss.filter(|loss| *loss > 0.0);
        let loss = loss.map_or_else(String::new, |loss| format!("{:.1}", loss * 100.0));
        let better = played
            .best
            .as_ref()
            .filter(|best| **best != played.notation);
        let _ = write!(
            out,
            "<tr><td>{}{}</td><td>{chance}</td><td>{loss}</td><td class=\"t\">{}</td></tr>",
            escape(&played.numbered()),
            played.judgement.map_or("", Judgement::sign),
            better.map_or_else(String::new, |best| escape(best))
        );
    }
    out.push_str("</table></details>");
}

/// The position before each critical move: the move tinted, the better one as an
/// arrow.
fn moments(report: &GameReport, alone: bool) -> Vec<(&MoveReport, String)> {
    // The report was made of a line that could be played.
    let Ok(mut line) = AnyLine::new(report.game, &report.rules, &report.start) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for played in &report.moves {
        if report.critical.contains(&played.ply) {
            found.push((played, moment(report, played, &line, alone)));
        }
        if line.play(&played.text).is_err() {
            break;
        }
    }
    found
}

fn moment(report: &GameReport, played: &MoveReport, line: &AnyLine, alone: bool) -> String {
    let best = report
        .best_line(played.ply)
        .and_then(|best| best.moves.first());
    let best = best.and_then(|text| line.find(text).ok());
    let sign = played.judgement.map_or("", Judgement::sign);
    let mut picture = Picture::new(line)
        .mark(&played.squares)
        .title(&format!("before {}{sign}", played.numbered()));
    if let Some(best) = best {
        picture = picture.arrow(&best.squares[..best.squares.len().min(2)]);
    }
    if let AnyLine::Leiser(_) = line {
        picture = picture.beam(played.side);
    }
    if alone {
        picture = picture.alone();
    }
    picture.svg()
}

/// The graph and the critical moments of a game as files: names and contents.
pub fn pictures(report: &GameReport) -> Vec<(String, String)> {
    let number = report.number;
    let mut files = vec![(format!("game-{number}-graph.svg"), graph(report, true))];
    for (played, svg) in moments(report, true) {
        files.push((format!("game-{number}-ply-{}.svg", played.ply), svg));
    }
    files
}
