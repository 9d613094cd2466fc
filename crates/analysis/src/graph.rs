//! White's win chance through a game, as a picture.

use core::fmt::Write as _;

use super::judge::Judgement;
use super::report::GameReport;

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 220.0;

/// The colours of the graph; those of a page around it win.
pub(super) const STYLE: &str = "\
.qg{--gs:#ffffff;--gw:#efe9dd;--gk:#4a4742;--gl:#c9c3b8;--gt:#5c626b;--g1:#b98a00;--g2:#c65d12;--g3:#c2321f}\
@media(prefers-color-scheme:dark){.qg{--gs:#1e2125;--gw:#d8d2c6;--gk:#3a3d42;--gl:#555a61;--gt:#a2a8af;\
--g1:#e2b93b;--g2:#f0883e;--g3:#ff6a55}}\
.qg .w{fill:var(--gw)}.qg .k{fill:var(--gk)}.qg .h{stroke:var(--gl);stroke-width:1;fill:none}\
.qg .c{stroke:var(--gt);stroke-width:2;fill:none}.qg text{fill:var(--gt);font:12px sans-serif}\
.qg .inaccuracy{fill:var(--g1)}.qg .mistake{fill:var(--g2)}.qg .blunder{fill:var(--g3)}\
.qg circle{stroke:var(--gs);stroke-width:1.5}";

/// The graph of a game; positions without a chance interrupt it.
pub(super) fn graph(report: &GameReport, alone: bool) -> String {
    let last = report.positions.len().saturating_sub(1).max(1) as f64;
    let x = |index: usize| index as f64 / last * WIDTH;
    let y = |chance: f64| (1.0 - chance) * HEIGHT;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"qg\" viewBox=\"0 0 {WIDTH} {}\" role=\"img\">",
        HEIGHT + 18.0
    );
    if alone {
        let _ = write!(svg, "<style>{STYLE}</style>");
    }
    let _ = write!(
        svg,
        "<title>White's win chance, move by move</title>\
         <rect class=\"k\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>"
    );
    for stretch in stretches(report) {
        let points: Vec<String> = stretch
            .iter()
            .map(|(index, chance)| format!("{:.1} {:.1}", x(*index), y(*chance)))
            .collect();
        let path = points.join("L");
        let (from, to) = match (stretch.first(), stretch.last()) {
            (Some(first), Some(last)) => (x(first.0), x(last.0)),
            _ => continue,
        };
        let _ = write!(
            svg,
            "<path class=\"w\" d=\"M{from:.1} {HEIGHT}L{path}L{to:.1} {HEIGHT}z\"/>\
             <path class=\"c\" d=\"M{path}\"/>"
        );
    }
    let middle = HEIGHT / 2.0;
    let _ = write!(svg, "<path class=\"h\" d=\"M0 {middle}h{WIDTH}\"/>");
    marks(&mut svg, report, x, y);
    let low = HEIGHT + 13.0;
    let words = format!(
        "move {}",
        report.moves.last().map_or(1, |played| played.number)
    );
    let _ = write!(
        svg,
        "<text x=\"2\" y=\"{low}\">start</text>\
         <text x=\"{}\" y=\"{low}\" text-anchor=\"end\">{words}</text></svg>",
        WIDTH - 2.0
    );
    svg
}

/// Positions that follow each other and have a chance.
fn stretches(report: &GameReport) -> Vec<Vec<(usize, f64)>> {
    let mut all: Vec<Vec<(usize, f64)>> = vec![Vec::new()];
    for (index, position) in report.positions.iter().enumerate() {
        match (position.chance, all.last_mut()) {
            (Some(chance), Some(stretch)) => stretch.push((index, chance)),
            _ => all.push(Vec::new()),
        }
    }
    all.retain(|stretch| !stretch.is_empty());
    all
}

/// A dot for each move that got a glyph.
fn marks(svg: &mut String, report: &GameReport, x: impl Fn(usize) -> f64, y: impl Fn(f64) -> f64) {
    for played in &report.moves {
        let chance = report.positions.get(played.ply).and_then(|p| p.chance);
        let (Some(judgement), Some(chance)) = (played.judgement, chance) else {
            continue;
        };
        let class = match judgement {
            Judgement::Inaccuracy => "inaccuracy",
            Judgement::Mistake => "mistake",
            Judgement::Blunder => "blunder",
        };
        let title = quadrille_games::picture::escape(&played.numbered());
        let _ = write!(
            svg,
            "<circle class=\"{class}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"5\"><title>{title}{}</title></circle>",
            x(played.ply),
            y(chance),
            judgement.sign()
        );
    }
}
