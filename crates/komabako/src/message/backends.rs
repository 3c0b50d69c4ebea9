//! Texts about backends.

use komabako::bits::{UnknownBackend, Verdict};

use super::lang::Lang;

texts! {
    backend_heading => "backend", "バックエンド";
    available_heading => "available", "使用可否";
    why_heading => "why", "理由";
    yes => "yes", "可";
    no => "no", "不可";
    asked_for(source) => "chosen: set by {source}", "使用中: {source} による指定";
    would_be_fastest => "the fastest on this CPU, but another one was set", "この CPU では最速だが、指定により不使用";
}

reports! {
    backend_refused(source, name, why, available) as "usage" => "{source}: backend `{name}`: {why}",
        "{source}: バックエンド `{name}`: {why}",
        help "available on this machine: {available}", "このマシンで使えるもの: {available}";
}

impl Lang {
    /// Why a backend is chosen or not.
    pub fn verdict(self, verdict: Verdict) -> String {
        match_text!(self, verdict;
            Verdict::Fastest => "chosen: the fastest on this CPU", "使用中: この CPU で最速";
            Verdict::Forced => "forced by the build (--cfg komabako_backend)",
                "使用中: ビルド時の指定 (--cfg komabako_backend)";
            Verdict::Slower => "slower than the chosen one", "使用中のものより低速";
            Verdict::SlowPext => "avoided: PEXT and PDEP are microcode on this CPU (AMD before Zen 3)",
                "不使用: この CPU の PEXT と PDEP は低速 (Zen 3 より前の AMD)";
            Verdict::Unavailable(error) => { self.backend_fault(error) };
        )
    }

    /// Why a backend is unavailable.
    pub fn backend_fault(self, error: UnknownBackend) -> String {
        match_text!(self, error;
            UnknownBackend::Name => "no backend has this name", "その名前のバックエンドはありません";
            UnknownBackend::Lacks(feature) => "this CPU lacks {feature}", "この CPU には {feature} がありません";
            UnknownBackend::Foreign(arch) => "it is for {arch}", "{arch} 用です";
        )
    }
}
