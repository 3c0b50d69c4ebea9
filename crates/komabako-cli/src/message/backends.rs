//! Texts about backends.

use komabako::bits::{UnknownBackend, Verdict};

use super::lang::Lang;

texts! {
    backend_refused(source, name, why) {
        "{source}: backend `{name}`: {why}",
        "{source}: バックエンド `{name}`: {why}"
    }
    backend_help(available) {
        "available on this machine: {available}",
        "この計算機で使えるもの: {available}"
    }
    backend_heading() { "backend", "バックエンド" }
    available_heading() { "available", "使用可否" }
    why_heading() { "why", "理由" }
    yes() { "yes", "可" }
    no() { "no", "不可" }
    asked_for(source) { "chosen: set by {source}", "使用中: {source} による指定" }
    would_be_fastest() { "the fastest on this CPU, but another one was set", "この CPU では最速だが、指定により不使用" }
}

impl Lang {
    /// Why a backend is chosen or not.
    pub fn verdict(self, verdict: Verdict) -> String {
        match (self, verdict) {
            (Lang::En, Verdict::Fastest) => "chosen: the fastest on this CPU".to_owned(),
            (Lang::Ja, Verdict::Fastest) => "使用中: この CPU で最速".to_owned(),
            (Lang::Ja, Verdict::Forced) => "使用中: ビルド時の指定 (--cfg komabako_backend)".to_owned(),
            (Lang::Ja, Verdict::Slower) => "使用中のものより低速".to_owned(),
            (Lang::Ja, Verdict::SlowPext) => {
                "不使用: この CPU の PEXT と PDEP は低速 (Zen 3 より前の AMD)".to_owned()
            }
            (_, Verdict::Unavailable(error)) => self.backend_fault(error),
            _ => verdict.to_string(),
        }
    }

    /// Why a backend is unavailable.
    pub fn backend_fault(self, error: UnknownBackend) -> String {
        match (self, error) {
            (Lang::En, UnknownBackend::Name) => "no backend has this name".to_owned(),
            (Lang::Ja, UnknownBackend::Name) => "その名前のバックエンドはありません".to_owned(),
            (Lang::Ja, UnknownBackend::Lacks(feature)) => format!("この CPU には {feature} がありません"),
            (Lang::Ja, UnknownBackend::Foreign(arch)) => format!("{arch} 用です"),
            _ => error.to_string(),
        }
    }
}
