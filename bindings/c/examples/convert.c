/* Converts a file of PSV records to hcpe and shows its first position: `convert games.psv games.hcpe`. C11. */
#include <komabako.h>

#include <stdio.h>
#include <stdlib.h>

enum { AT_ONCE = 1024 };

static int fail(const char *what) {
    char why[256];
    komabako_error(why, sizeof why);
    fprintf(stderr, "%s: %s\n", what, why);
    return 1;
}

static int show(const uint8_t *record) {
    static const char *const names[] = {" .", " P", " L", " N", " S", " B", " R", " G", " K",
                                        "+P", "+L", "+N", "+S", "+B", "+R"};
    komabako_board board;
    if (komabako_unpack(KOMABAKO_PSV, record, 1, &board, NULL) < 0) return fail("the first record");
    for (int rank = 0; rank < 9; rank++) {
        for (int file = 8; file >= 0; file--) {
            int piece = board.board[9 * file + rank];
            printf(" %s%c", names[piece % 16], piece > 16 ? 'v' : ' ');
        }
        printf("\n");
    }
    printf("%s to move\n", board.side ? "White" : "Black");
    return 0;
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "convert FROM.psv TO.hcpe\n");
        return 2;
    }
    FILE *from = fopen(arguments[1], "rb");
    FILE *to = fopen(arguments[2], "wbx");
    if (!from || !to) {
        perror(from ? arguments[2] : arguments[1]);
        return 1;
    }
    static uint8_t records[AT_ONCE * 40], converted[AT_ONCE * 38], faults[AT_ONCE];
    size_t bytes, first = 0, bad = 0, tail = 0;
    while ((bytes = fread(records, 1, sizeof records, from)) > 0) {
        size_t read = bytes / 40;
        tail = bytes % 40;
        if (first == 0 && read > 0 && show(records)) return 1;
        if (komabako_recode(KOMABAKO_PSV, KOMABAKO_HCPE, records, read, converted, faults) < 0)
            return fail(arguments[1]);
        for (size_t row = 0; row < read; row++) {
            if (faults[row]) {
                char name[64];
                komabako_fault_name(faults[row], name, sizeof name);
                fprintf(stderr, "record %zu left out: %s\n", first + row, name);
                bad++;
            } else if (fwrite(converted + 38 * row, 38, 1, to) != 1) {
                perror(arguments[2]);
                return 1;
            }
        }
        first += read;
    }
    if (ferror(from) || fclose(to) != 0) {
        perror("convert");
        return 1;
    }
    fclose(from);
    if (tail > 0) {
        fprintf(stderr, "%s: ends with %zu bytes of a record\n", arguments[1], tail);
        return 1;
    }
    printf("%zu records, %zu bad\n", first, bad);
    return bad > 0;
}
