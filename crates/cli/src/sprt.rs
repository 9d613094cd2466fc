//! `quadrille sprt`: judge results by a sequential test, or plan one.

use core::fmt::Write as _;

use clap::Args;
use quadrille_match::stats::{Decision, Estimate, Outlook, Pairs, Sprt, Tally};
use quadrille_match::stats::{SprtConfig, SprtModel};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::figure::{self, figure, number_of};

/// Arguments of `quadrille sprt`.
#[derive(Args)]
#[command(allow_negative_numbers = true)]
pub(crate) struct Arguments {
    /// Games won, drawn and lost: 300,1400,250
    #[arg(long, value_name = "W,D,L", conflicts_with = "penta")]
    wdl: Option<String>,

    /// Pairs of games with 0, half, 1, one and a half and 2 points:
    /// 3,40,150,45,5
    #[arg(long, value_name = "A,B,C,D,E")]
    penta: Option<String>,

    /// The first hypothesis: no better than this
    #[arg(long, value_name = "ELO", default_value_t = SprtConfig::default().elo0)]
    elo0: f64,

    /// The second hypothesis: at least this good
    #[arg(long, value_name = "ELO", default_value_t = SprtConfig::default().elo1)]
    elo1: f64,

    /// How often the second hypothesis may be accepted wrongly
    #[arg(long, value_name = "RATE", default_value_t = SprtConfig::default().alpha)]
    alpha: f64,

    /// How often the first hypothesis may be accepted wrongly
    #[arg(long, value_name = "RATE", default_value_t = SprtConfig::default().beta)]
    beta: f64,

    /// normalized, logistic or bayesian
    #[arg(long, default_value_t = SprtModel::default())]
    model: SprtModel,

    /// Say how many games the test is likely to take
    #[arg(long)]
    plan: bool,

    /// The share of games that is expected to be drawn, for --plan
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    draws: f64,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Results of either kind.
enum Results {
    Games(Tally),
    Pairs(Pairs),
}

pub(crate) fn run(arguments: &Arguments) -> Result<String, Failure> {
    let config = SprtConfig {
        elo0: arguments.elo0,
        elo1: arguments.elo1,
        alpha: arguments.alpha,
        beta: arguments.beta,
        model: arguments.model,
    };
    config.check().map_err(Failure::input)?;
    if !(0.0..1.0).contains(&arguments.draws) {
        let message = format!("--draws is {}, but is a share from 0 to 1", arguments.draws);
        return Err(Failure::input(message));
    }
    let sprt = Sprt::new(config);
    let results = results(arguments)?;
    if results.is_none() && !arguments.plan {
        let failure = Failure::input("there are no results to judge");
        return Err(failure.hint("give --wdl 300,1400,250 or --penta 3,40,150,45,5, or --plan"));
    }
    if matches!(results, Some(Results::Pairs(_))) && config.model == SprtModel::Bayesian {
        let failure = Failure::input("the bayesian model knows single games only");
        return Err(failure.hint("give --wdl, or choose another --model"));
    }
    let judged = results.as_ref().map(|results| judge(&sprt, results));
    let plan = arguments.plan.then(|| plan(&sprt, arguments.draws));
    Ok(if arguments.json {
        format!("{:#}\n", as_json(&sprt, judged.as_ref(), plan.as_deref()))
    } else {
        as_text(&sprt, judged.as_ref(), plan.as_deref(), arguments.draws)
    })
}

fn results(arguments: &Arguments) -> Result<Option<Results>, Failure> {
    if let Some(text) = &arguments.wdl {
        let [wins, draws, losses] = counts("--wdl", text)?;
        return Ok(Some(Results::Games(Tally {
            wins,
            draws,
            losses,
        })));
    }
    let penta = arguments.penta.as_ref();
    penta
        .map(|text| Ok(Results::Pairs(Pairs(counts("--penta", text)?))))
        .transpose()
}

/// Exactly so many numbers, parted by commas, blanks or slashes.
fn counts<const N: usize>(flag: &str, text: &str) -> Result<[u64; N], Failure> {
    let example = if N == 3 {
        "300,1400,250"
    } else {
        "3,40,150,45,5"
    };
    let form = |why: String| {
        let failure = Failure::input(format!("{flag} {text}: {why}"));
        failure.hint(format!(
            "write {N} whole numbers, parted by commas: {example}"
        ))
    };
    let words = text.split([',', ' ', '/']).filter(|word| !word.is_empty());
    let numbers: Result<Vec<u64>, Failure> = words
        .map(|word| match word.parse() {
            // Sums of larger ones could overflow, and no match has so many.
            Ok(number) if number <= 1_000_000_000_000 => Ok(number),
            Ok(_) => Err(form(format!("'{word}' is too large"))),
            Err(_) => Err(form(format!("'{word}' is not a whole number"))),
        })
        .collect();
    let numbers: [u64; N] = numbers?
        .try_into()
        .map_err(|found: Vec<u64>| form(format!("there are {} numbers", found.len())))?;
    if numbers.iter().sum::<u64>() == 0 {
        return Err(Failure::input(format!("{flag}: nothing has been played")));
    }
    Ok(numbers)
}

struct Judged {
    estimate: Estimate,
    number: u64,
    what: &'static str,
    drawn: &'static str,
    llr: f64,
    decision: Decision,
}

fn judge(sprt: &Sprt, results: &Results) -> Judged {
    let (estimate, number, what, llr) = match results {
        Results::Games(games) => (Estimate::of(games), games.games(), "games", sprt.llr(games)),
        Results::Pairs(pairs) => (
            Estimate::of_pairs(pairs),
            pairs.pairs(),
            "pairs",
            sprt.llr_of_pairs(pairs),
        ),
    };
    let drawn = match results {
        Results::Games(_) => "draws",
        Results::Pairs(_) => "level pairs",
    };
    Judged {
        estimate,
        number,
        what,
        drawn,
        llr,
        decision: sprt.decision(llr),
    }
}

/// Outlooks for differences below, between and above the hypotheses.
fn plan(sprt: &Sprt, draws: f64) -> Vec<(f64, Outlook)> {
    let SprtConfig { elo0, elo1, .. } = *sprt.config();
    let step = (elo1 - elo0) / 2.0;
    (-2..=4)
        .map(|i| elo0 + f64::from(i) * step)
        .map(|elo| (elo, sprt.outlook(elo, draws)))
        .collect()
}

fn words(decision: Decision) -> &'static str {
    match decision {
        Decision::Continue => "not decided yet",
        Decision::AcceptH0 => "H0 accepted: not as good as hoped for",
        Decision::AcceptH1 => "H1 accepted: it is better",
    }
}

fn as_text(
    sprt: &Sprt,
    judged: Option<&Judged>,
    plan: Option<&[(f64, Outlook)]>,
    draws: f64,
) -> String {
    let mut text = String::new();
    let config = sprt.config();
    // Writing to a String cannot fail.
    if let Some(judged) = judged {
        let e = &judged.estimate;
        let _ = writeln!(
            text,
            "{}, score {:.2} %, {} {:.2} %",
            number_of(judged.number, judged.what.trim_end_matches('s')),
            100.0 * e.score,
            judged.drawn,
            100.0 * e.draw_ratio
        );
        let _ = writeln!(text, "{}", figure::elo(e));
        let _ = writeln!(
            text,
            "LLR {} ({} %) within ({:.3}, {:.3}) for [{}, {}] {}: {}",
            figure(judged.llr, 3),
            figure(100.0 * sprt.fraction(judged.llr), 1),
            sprt.lower(),
            sprt.upper(),
            config.elo0,
            config.elo1,
            config.model,
            words(judged.decision)
        );
    }
    if let Some(plan) = plan {
        if judged.is_some() {
            text.push('\n');
        }
        let _ = writeln!(
            text,
            "[{}, {}] {} at alpha {}, beta {}, {:.0} % draws",
            config.elo0,
            config.elo1,
            config.model,
            config.alpha,
            config.beta,
            100.0 * draws
        );
        let _ = writeln!(text, "{:>9} {:>9} {:>12}", "true Elo", "accepted", "games");
        for (elo, outlook) in plan {
            let _ = writeln!(
                text,
                "{elo:>9.2} {:>7.1} % {:>12.0}",
                100.0 * outlook.pass,
                outlook.games
            );
        }
        let fixed = sprt.fixed_games(draws);
        let _ = writeln!(
            text,
            "a match of fixed length needs {fixed:.0} games for the same errors"
        );
    }
    text
}

/// Numbers that JSON has no word for become `null`.
fn as_json(sprt: &Sprt, judged: Option<&Judged>, plan: Option<&[(f64, Outlook)]>) -> Value {
    let mut value = json!({
        "sprt": sprt.config(),
        "lower": sprt.lower(),
        "upper": sprt.upper(),
    });
    if let Some(judged) = judged {
        value[judged.what] = json!(judged.number);
        value["estimate"] = json!(judged.estimate);
        value["llr"] = json!(judged.llr);
        value["decision"] = json!(judged.decision);
    }
    if let Some(plan) = plan {
        let rows = plan.iter().map(
            |(elo, outlook)| json!({"elo": elo, "pass": outlook.pass, "games": outlook.games}),
        );
        value["plan"] = rows.collect();
    }
    value
}
