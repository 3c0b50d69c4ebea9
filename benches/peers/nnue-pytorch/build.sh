#!/bin/sh
# Builds the loader of nodchip's nnue-pytorch with the compiler of the system: `build.sh CHECKOUT LIBRARY.so`.
#
#     git clone https://github.com/nodchip/nnue-pytorch && cd nnue-pytorch
#     git checkout dd6b7a5        # coo; 8b45c28 is padded
#
# It is made for Microsoft's compiler: ppl.h and stubs.cpp here stand for what others lack.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
library=$2
cd "$1"
# Paths with backslashes.
find . -name "*.h" -o -name "*.cpp" | xargs sed -i '/^ *#include "/s,\\,/,g'
flags="-std=c++17 -O3 -march=native -fPIC -w -DYANEURAOU_ENGINE_NNUE -DEVAL_LEARN -DUNICODE -I$here -I."
engine=YaneuraOu/source
for source in $engine/bitboard $engine/position $engine/misc $engine/types $engine/usi_option $engine/thread $engine/tt $engine/timeman \
    $engine/movegen $engine/usi $engine/extra/sfen_packer $engine/extra/bitop $engine/extra/long_effect \
    $engine/eval/evaluate_bona_piece $engine/eval/evaluate training_data_loader; do
    g++ $flags -c $source.cpp -o "$(echo $source | tr / _).o"
done
g++ $flags -c "$here/stubs.cpp" -o stubs.o
g++ -shared -o "$library" ./*.o -lpthread
