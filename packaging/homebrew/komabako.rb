class Komabako < Formula
  desc "Packs shogi positions, works on files of them, solves mates"
  homepage "https://github.com/komabako/komabako"
  version "0.1.0"
  license all_of: [{ any_of: ["MIT", "Apache-2.0"] }, "OFL-1.1"]

  on_macos do
    on_arm do
      url "https://github.com/komabako/komabako/releases/download/v0.1.0/komabako-0.1.0-aarch64-apple-darwin.tar.gz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    end
    on_intel do
      url "https://github.com/komabako/komabako/releases/download/v0.1.0/komabako-0.1.0-x86_64-apple-darwin.tar.gz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    end
  end

  on_linux do
    on_arm do
      url "https://github.com/komabako/komabako/releases/download/v0.1.0/komabako-0.1.0-aarch64-unknown-linux-musl.tar.gz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    end
    on_intel do
      url "https://github.com/komabako/komabako/releases/download/v0.1.0/komabako-0.1.0-x86_64-unknown-linux-musl.tar.gz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    end
  end

  def install
    bin.install "komabako"
    man1.mkpath
    system bin/"komabako", "--lang", "en", "man", man1
    generate_completions_from_executable(bin/"komabako", "--lang", "en", "completions")
  end

  test do
    (testpath/"a.sfen").write "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n"
    system bin/"komabako", "convert", "a.sfen", "a.hcpe"
    assert_path_exists testpath/"a.hcpe"
  end
end
