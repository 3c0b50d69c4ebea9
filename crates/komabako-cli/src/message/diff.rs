//! Texts of `diff`.

texts! {
    table_memory(input, needed, allowed) {
        "{input}: its table takes {needed} bytes of memory or more; {allowed} are allowed",
        "{input}: 表に {needed} バイト以上のメモリーが必要ですが、許されるのは {allowed} バイトです"
    }
    table_memory_help() {
        "allow more with `--max-memory`, give the smaller file first, or compare parts of the files",
        "`--max-memory` を増やすか、小さいほうのファイルを先に指定するか、ファイルの一部ずつを比べてください"
    }
    only_in(name) { "only in {name}", "{name} のみ" }
    among_records(records) { "of {records} records", "全 {records} レコード" }
    altered_label() { "changed", "変更" }
    same_label() { "same", "同じ" }
}
