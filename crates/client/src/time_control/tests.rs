//! Every form of a time control, and what is none.

use super::*;

fn control(text: &str) -> TimeControl {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_form_is_read_and_written() {
    for (text, written, pgn) in [
        ("10+0.1", "10+0.1", "10+0.1"),
        ("60", "60", "60"),
        ("40/60", "40/60", "40/60"),
        ("40/1:30.5+0.5", "40/90.5+0.5", "40/90.5+0.5"),
        ("0:30", "30", "30"),
        ("2:00+1", "120+1", "120+1"),
        ("tc=8+0.08", "8+0.08", "8+0.08"),
        ("5s+0.05s", "5+0.05", "5+0.05"),
        ("inf", "inf", "-"),
        ("infinite", "inf", "-"),
        ("inf/60", "60", "60"),
        ("0/10+0.1", "10+0.1", "10+0.1"),
        ("0/1:30", "90", "90"),
        ("0+1", "0+1", "0+1"),
        ("hg60", "hg60", "*60"),
        ("hg1:30", "hg90", "*90"),
        ("*60", "hg60", "*60"),
        ("st=0.5", "st=0.5", "1/0.5"),
        ("st=0.001", "st=0.001", "1/0.001"),
        ("nodes=5000", "nodes=5000", "-"),
        ("nodes=5k", "nodes=5000", "-"),
        ("depth=8 nodes=1M", "nodes=1000000 depth=8", "-"),
        ("inf depth=4", "depth=4", "-"),
        ("40/90,20/30,15+1", "40/90,20/30,15+1", "40/90:20/30:15+1"),
        ("40/7200:3600", "40/7200,3600", "40/7200:3600"),
        (
            "40/7200:20/3600:900+30",
            "40/7200,20/3600,900+30",
            "40/7200:20/3600:900+30",
        ),
        ("40/1:30:10/0:20", "40/90,10/20", "40/90:10/20"),
        ("40/60+1:30+2", "40/60+1,30+2", "40/60+1:30+2"),
        (
            "10+0.1 nodes=900 depth=3 st=2",
            "10+0.1 st=2 nodes=900 depth=3",
            "10+0.1",
        ),
        ("7.8336+0.0783", "7.834+0.078", "7.834+0.078"),
    ] {
        let tc = control(text);
        assert_eq!(tc.to_string(), written, "{text}");
        assert_eq!(tc.pgn_text(), pgn, "{text}");
        assert_eq!(control(written), tc, "{text}");
    }
}

#[test]
fn nonsense_is_refused_with_a_reason() {
    for (text, why) in [
        ("", "write for instance"),
        ("   ", "write for instance"),
        ("abc", "no seconds"),
        ("10+", "no seconds"),
        ("+1", "no seconds"),
        ("-5", "no seconds"),
        ("1e5", "no seconds"),
        ("nan", "no seconds"),
        ("0", "no time at all"),
        ("0.0001", "no time at all"),
        ("-1/10", "no whole number"),
        ("x/10", "no whole number"),
        ("40/", "no seconds"),
        ("10+1+1", "no seconds"),
        ("99999999999", "too large"),
        ("99999999999999999999:00", "no minutes"),
        ("999999999999:00", "too large"),
        ("10,20,30", "nothing can follow"),
        ("10,20", "write 10.20"),
        ("10+0,1", "as a decimal point, write 10+0.1"),
        ("1:60", "write 2:00 or 120"),
        ("1:99", "write 2:39 or 159"),
        ("40/60,", "no seconds"),
        ("1:30:00", "no time at all"),
        ("0:00", "no time"),
        ("10 20", "two clocks"),
        ("hg", "no seconds"),
        ("st=0", "no time at all"),
        ("st=1 st=2", "twice"),
        ("nodes=0", "no whole number"),
        ("nodes=-3", "no whole number"),
        ("nodes=99999999999999999999", "too large"),
        ("depth=99999999999", "too large"),
        ("mate=3", "there is no 'mate'"),
        (
            "1/1,1/1,1/1,1/1,1/1,1/1,1/1,1/1,1/1,1/1,1/1,1/1,1/1,1/1,1/1,1/1,1",
            "more than 16",
        ),
    ] {
        let error = text.parse::<TimeControl>().expect_err(text).to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
}

#[test]
fn periods_follow_each_other_and_the_last_repeats() {
    let left = |tc: &str, moves| {
        let (period, left) = control(tc).period(moves).expect("a period");
        (period.time.as_secs(), left)
    };
    assert_eq!(left("40/90,20/30,15", 0), (90, Some(40)));
    assert_eq!(left("40/90,20/30,15", 39), (90, Some(1)));
    assert_eq!(left("40/90,20/30,15", 40), (30, Some(20)));
    assert_eq!(left("40/90,20/30,15", 60), (15, None));
    assert_eq!(left("40/90,20/30", 60), (30, Some(20)));
    assert_eq!(left("40/90,20/30", 79), (30, Some(1)));
    assert_eq!(left("40/90,20/30", 80), (30, Some(20)));
    assert_eq!(left("10+1", 500), (10, None));
    assert_eq!(control("st=1").period(3), None);
}

#[test]
fn a_handicap_scales_times_and_nodes() {
    let half = control("40/10+0.1,0.001 st=2 nodes=3 depth=9").scaled(0.5);
    assert_eq!(half.to_string(), "40/5+0.05,0.001 st=1 nodes=2 depth=9");
    assert_eq!(control("hg60").scaled(2.0).to_string(), "hg120");
    assert_eq!(control("inf").scaled(2.0), control("inf"));
    let slow = control("40/10+0.1 st=2 nodes=3 depth=9").slowed(1.5);
    assert_eq!(slow.to_string(), "40/15+0.15 st=3 nodes=3 depth=9");
    assert!(slow.is_timed() && !control("nodes=3").is_timed());
}

proptest::proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "[0-9:+/,.=a-z *]{0,24}") {
        if let Ok(tc) = text.parse::<TimeControl>() {
            proptest::prop_assert_eq!(control(&tc.to_string()), tc);
        }
    }

    #[test]
    fn odd_characters_never_panic(text in "\\PC{0,24}") {
        let _ = text.parse::<TimeControl>();
    }
}
