//! Starting an engine, and bringing it to the end of the handshake.

use std::time::Duration;

use quadrille_games::AnyLine;
use quadrille_protocol::Dialect;

use super::examiner::{Examiner, Lost, Step};
use super::searches::set_option_words;
use super::talk::Talk;
use super::watch::Said;
use quadrille_driver::spec::EngineSpec;
use quadrille_driver::{EngineOption, Link, open};
use quadrille_transcript::Recorder;

/// So long is waited for the first words of an engine that was deaf again and again.
const LEAST_PATIENCE: Duration = Duration::from_millis(500);

/// What an engine is told before a scene.
pub(super) fn preamble(spec: &EngineSpec, dialect: Dialect) -> String {
    let mut lines = spec.init.clone();
    lines.push(dialect.hello().into());
    for (name, value) in &spec.options {
        lines.push(set_option_words(dialect, name, value.as_deref()));
    }
    lines.push("isready\n".into());
    lines.join("\n")
}

impl Examiner<'_> {
    /// A new process of the engine, or what stands for one.
    pub(super) async fn open_link(&mut self) -> Result<Box<dyn Link>, String> {
        let opened = self.subject.opener.as_ref();
        let opened = opened.and_then(|opener| opener.open(&self.subject.spec, self.game));
        match opened {
            Some(link) => link.map_err(|error| error.to_string()),
            None => open(&self.subject.spec)
                .await
                .map_err(|error| error.to_string()),
        }
    }

    /// Starts the engine, without a word to it.
    pub(super) async fn open(&mut self) -> Step {
        self.drop_engine();
        self.excuse = None;
        self.symptom = None;
        let link = self.open_link().await;
        if let Err(why) = &link
            && !self.has_started
        {
            self.not_started = Some(why.clone());
        }
        let link = link.map_err(Lost::NoEngine)?;
        self.has_started = true;
        self.not_started = None;
        self.root = AnyLine::start(self.game);
        self.options.clear();
        let tape = self.settings.tape.as_ref().map(Recorder::tape);
        self.talk = Some(Talk::new(link, self.dialect, tape));
        for line in &self.subject.spec.init {
            let line = line.clone();
            self.say(&line);
        }
        Ok(())
    }

    /// Starts the engine and hears it out until it has introduced itself.
    pub(super) async fn meet(&mut self) -> Step {
        self.open().await?;
        let hello = self.dialect.hello();
        self.say(hello);
        let patience = self.shortened(self.patience.hello);
        if !self.wait_for(Said::Greeted, patience).await {
            return Err(self.lost(&format!("no answer to {hello}")));
        }
        for (name, _) in &self.subject.spec.options {
            let known = |option: &EngineOption| option.name.eq_ignore_ascii_case(name);
            if !self.options.iter().any(known) && !self.unknown.contains(name) {
                self.unknown.push(name.clone());
            }
        }
        Ok(())
    }

    /// Starts the engine and brings it to the end of the handshake.
    pub(super) async fn fresh(&mut self) -> Step {
        self.meet().await?;
        for (name, value) in &self.subject.spec.options {
            let line = set_option_words(self.dialect, name, value.as_deref());
            self.say(&line);
        }
        self.say("isready");
        let patience = self.shortened(self.patience.ready);
        if !self.wait_for(Said::Ready, patience).await {
            return Err(self.lost("no answer to isready"));
        }
        self.deaf = 0;
        Ok(())
    }

    /// What is left of a patience after starts that came to nothing: every probe
    /// tries one, and a program that is no engine must not take minutes.
    fn shortened(&self, patience: Duration) -> Duration {
        let least = patience.min(LEAST_PATIENCE);
        (patience / 4_u32.saturating_pow(self.deaf)).max(least)
    }

    pub(super) fn lost(&mut self, why: &str) -> Lost {
        self.deaf += 1;
        let death = self.talk.as_ref().and_then(|talk| talk.death.as_ref());
        let words = death.map_or_else(|| why.to_owned(), ToString::to_string);
        Lost::NoEngine(words)
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use quadrille_games::Game;

    use super::super::probes::PROBES;
    use super::super::run::{Settings, Subject};
    use super::*;

    #[test]
    fn a_program_that_is_no_engine_does_not_take_minutes() {
        let subject = Subject {
            spec: EngineSpec::default(),
            game: Game::Chess,
            opener: None,
        };
        let settings = Settings::default();
        let mut watch = |_| ControlFlow::Continue(());
        let mut x = Examiner::new(&subject, &settings, &mut watch);
        let mut waited = Duration::ZERO;
        for _ in PROBES {
            waited += x.shortened(x.patience.hello);
            x.lost("no answer to uci");
        }
        assert!(waited < Duration::from_secs(30), "{waited:?}");
        // An engine on a slow day has its time at the next start.
        x.deaf = 0;
        assert_eq!(x.shortened(x.patience.hello), settings.patience.hello);
        assert_eq!(
            x.shortened(Duration::from_millis(1)),
            Duration::from_millis(1)
        );
    }
}
