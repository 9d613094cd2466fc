//! Faults of our own: a part that breaks must not leave others waiting for it.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Does something, and makes an error of a panic. What it was working on must not be
/// looked at any more, or be whole at any moment.
pub(crate) fn caught<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(words(&*panic)))
}

fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    format!(
        "this program has a fault, please report it: {}",
        text.unwrap_or("it gave up without a word")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_in_words() {
        assert_eq!(caught(|| Ok(7)), Ok(7));
        assert_eq!(caught::<()>(|| Err("no".into())), Err("no".into()));
        let broken = caught::<()>(|| panic!("at {}", 7)).expect_err("a fault");
        assert!(broken.ends_with("report it: at 7"), "{broken}");
    }
}
