//! Texts about certificates.

texts! {
    certificate_written(claim, nodes, size) => "certificate: {claim}, {nodes}, {size}", "証明書: {claim} ({nodes}、{size})";
    certificates_written(count, nodes, size) => "{count} certificates, {nodes}, {size}", "証明書 {count} 件 ({nodes}、{size})";
    certificate_missing(why) => "no certificate: {why}", "証明書なし: {why}";
    certificate_shown(claim, nodes, sfen) => "{claim}, {nodes}: {sfen}", "{claim} ({nodes}): {sfen}";
    certificate_not_shown(why) => "not shown: {why}", "証明されていません: {why}";
    certificate_empty => "holds no certificate", "証明書がありません";
}
