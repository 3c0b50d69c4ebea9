//! Texts of `diff`.

texts! {
    needs_comparison_parts(parts) => "in {parts} parts", "{parts} 分割";
    only_in(name) => "only in {name}", "{name} のみ";
    among_records(records) => "of {records}", "全 {records}";
    same_label => "same", "同じ";
}
