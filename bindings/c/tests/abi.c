/* What komabako.h promises: `abi DATA` checks it with the sample records. Valid C11 and C++17. */
#include "komabako.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __cplusplus
static_assert(sizeof(komabako_board) == 99 && alignof(komabako_board) == 1, "99 bytes, align 1");
#else
_Static_assert(sizeof(komabako_board) == 99 && _Alignof(komabako_board) == 1, "99 bytes, align 1");
#endif

#define CHECK(condition)                                                       \
    do {                                                                       \
        if (!(condition)) {                                                    \
            char why[512];                                                     \
            komabako_error(why, sizeof why);                                   \
            fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition, why); \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

enum { RECORDS = 2000 };

static uint8_t psv[RECORDS * 40], hcpe[RECORDS * 38];

static void load(const char *folder, const char *name, uint8_t *bytes, size_t size) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file || fread(bytes, 1, size, file) != size) {
        perror(path);
        exit(1);
    }
    fclose(file);
}

static int error_has(const char *words) {
    char text[512];
    size_t length = komabako_error(text, sizeof text);
    return length == strlen(text) && strstr(text, words) != NULL;
}

static void *allocate(size_t size) {
    void *memory = malloc(size);
    CHECK(memory);
    return memory;
}

static void empty_arrays_may_be_null(void) {
    CHECK(komabako_abi() == KOMABAKO_ABI);
    CHECK(komabako_unpack(KOMABAKO_PSV, NULL, 0, NULL, NULL) == 0);
    CHECK(komabako_pack(KOMABAKO_HCP, NULL, 0, NULL, NULL) == 0);
    CHECK(komabako_recode(KOMABAKO_PSV, KOMABAKO_HCPE, NULL, 0, NULL, NULL) == 0);
    CHECK(komabako_features(KOMABAKO_KP, 0, NULL, 0, NULL, NULL) == 0);
    CHECK(komabako_error(NULL, 0) == 0);
}

static void hostile_arguments_are_refused(void) {
    uint8_t bytes[400];
    memset(bytes, 0, sizeof bytes);
    komabako_board board;
    int32_t rows[84];
    CHECK(komabako_unpack(KOMABAKO_PSV, NULL, 1, &board, NULL) == KOMABAKO_BAD_ARGUMENT);
    CHECK(error_has("words is NULL"));
    CHECK(komabako_unpack(KOMABAKO_PSV, bytes, 1, NULL, NULL) == KOMABAKO_BAD_ARGUMENT);
    CHECK(error_has("out is NULL"));
    const size_t lengths[] = {SIZE_MAX, SIZE_MAX / 32 + 1, SIZE_MAX / 99, SIZE_MAX / 2 / 32 + 1};
    for (int i = 0; i < 4; i++) {
        CHECK(komabako_unpack(KOMABAKO_HCP, bytes, lengths[i], &board, NULL) == KOMABAKO_BAD_ARGUMENT);
        CHECK(komabako_recode(KOMABAKO_PSV, KOMABAKO_HCPE, bytes, lengths[i], bytes, NULL) == KOMABAKO_BAD_ARGUMENT);
        CHECK(komabako_features(KOMABAKO_HALFKP, 0, bytes, lengths[i], rows, NULL) == KOMABAKO_BAD_ARGUMENT);
        CHECK(error_has("address space"));
    }
    const int32_t unknown[] = {INT32_MIN, -1, 0, 8, 11, 23, INT32_MAX};
    for (int i = 0; i < 7; i++) {
        CHECK(komabako_unpack(unknown[i], bytes, 1, &board, NULL) == KOMABAKO_BAD_ARGUMENT);
        CHECK(komabako_pack(unknown[i], &board, 1, bytes, NULL) == KOMABAKO_BAD_ARGUMENT);
        CHECK(komabako_recode(unknown[i], KOMABAKO_HCP, bytes, 1, bytes + 200, NULL) == KOMABAKO_BAD_ARGUMENT);
        CHECK(komabako_recode(KOMABAKO_HCP, unknown[i], bytes, 1, bytes + 200, NULL) == KOMABAKO_BAD_ARGUMENT);
        CHECK(komabako_record_size(unknown[i]) == KOMABAKO_BAD_ARGUMENT);
        if (unknown[i] != 8) {
            CHECK(komabako_features(unknown[i], 0, bytes, 1, rows, NULL) == KOMABAKO_BAD_ARGUMENT);
            CHECK(komabako_feature_active(unknown[i]) == KOMABAKO_BAD_ARGUMENT);
            CHECK(komabako_feature_inputs(unknown[i]) == KOMABAKO_BAD_ARGUMENT);
        }
    }
    CHECK(komabako_features(KOMABAKO_KP, 2, bytes, 1, rows, NULL) == KOMABAKO_BAD_ARGUMENT);
    CHECK(komabako_recode(KOMABAKO_PSV, KOMABAKO_HCPE, bytes, 4, bytes + 159, NULL) == KOMABAKO_BAD_ARGUMENT);
    CHECK(error_has("in and out overlap"));
    CHECK(komabako_recode(KOMABAKO_PSV, KOMABAKO_HCPE, bytes, 1, bytes + 40, bytes + 77) == KOMABAKO_BAD_ARGUMENT);
    CHECK(error_has("faults and out overlap"));
    CHECK(komabako_features(KOMABAKO_KP, 0, bytes, 1, (int32_t *)(void *)((char *)rows + 1), NULL) == KOMABAKO_BAD_ARGUMENT);
    CHECK(error_has("rows is not aligned"));
    CHECK(komabako_pack(KOMABAKO_PSV, &board, 1, bytes, NULL) == KOMABAKO_BAD_ARGUMENT);
    CHECK(komabako_recode(KOMABAKO_PSV, KOMABAKO_PSV_LENIENT, bytes, 1, bytes + 200, NULL) == KOMABAKO_BAD_ARGUMENT);
    char small[8];
    memset(small, 'x', sizeof small);
    CHECK(komabako_error(small, 4) > 4 && small[3] == 0 && small[4] == 'x');
}

static void samples_convert_and_come_back(void) {
    uint8_t *converted = (uint8_t *)allocate(sizeof hcpe);
    uint8_t *faults = (uint8_t *)allocate(RECORDS);
    komabako_board *boards = (komabako_board *)allocate(RECORDS * sizeof *boards);
    CHECK(komabako_recode(KOMABAKO_PSV, KOMABAKO_HCPE, psv, RECORDS, converted, NULL) == 0);
    CHECK(memcmp(converted, hcpe, sizeof hcpe) == 0);
    CHECK(komabako_unpack(KOMABAKO_HCPE, hcpe, RECORDS, boards, faults) == 0);
    const int32_t formats[] = {KOMABAKO_SSPFV1, KOMABAKO_PACKED_SFEN, KOMABAKO_HCP, KOMABAKO_NSHOGI,
                               KOMABAKO_SSPFV1_EXT, KOMABAKO_C250, KOMABAKO_R238};
    komabako_board *again = (komabako_board *)allocate(RECORDS * sizeof *again);
    for (int i = 0; i < 7; i++) {
        size_t size = (size_t)komabako_record_size(formats[i]);
        uint8_t *words = (uint8_t *)allocate(RECORDS * size);
        memset(faults, 1, RECORDS);
        CHECK(komabako_pack(formats[i], boards, RECORDS, words, faults) == 0);
        CHECK(komabako_unpack(formats[i], words, RECORDS, again, NULL) == 0);
        CHECK(memcmp(boards, again, RECORDS * sizeof *boards) == 0);
        for (int row = 0; row < RECORDS; row++) {
            CHECK(faults[row] == 0);
            if (formats[i] == KOMABAKO_PACKED_SFEN) CHECK(memcmp(words + 32 * row, psv + 40 * row, 32) == 0);
        }
        free(words);
    }
    free(again);
    free(boards);
    free(faults);
    free(converted);
}

static void bad_records_are_named_or_counted(void) {
    uint8_t words[3 * 32];
    for (int i = 0; i < 3; i++) memcpy(words + 32 * i, psv + 40 * i, 32);
    memset(words + 32, 0xff, 32);
    komabako_board boards[3];
    uint8_t faults[3];
    CHECK(komabako_unpack(KOMABAKO_PACKED_SFEN, words, 3, boards, NULL) == KOMABAKO_BAD_RECORD);
    CHECK(error_has("record 1: "));
    CHECK(komabako_unpack(KOMABAKO_PACKED_SFEN, words, 3, boards, faults) == 0);
    CHECK(faults[0] == 0 && faults[1] != 0 && faults[2] == 0);
    char name[64];
    CHECK(komabako_fault_name(faults[1], name, sizeof name) == strlen(name) && strlen(name) > 3);
    CHECK(komabako_fault_name(0, name, sizeof name) == 0 && komabako_fault_name(200, name, sizeof name) == 0);
    komabako_board empty;
    memset(&empty, 0, sizeof empty);
    CHECK(memcmp(&boards[1], &empty, sizeof empty) == 0 && boards[2].board[0] != 0);
    uint8_t out[3 * 32];
    CHECK(komabako_recode(KOMABAKO_PACKED_SFEN, KOMABAKO_HCP, words, 3, out, faults) == 0);
    CHECK(faults[1] != 0 && out[32] == 0 && out[64] != 0);
    CHECK(komabako_recode(KOMABAKO_PACKED_SFEN, KOMABAKO_HCP, words, 3, out, NULL) == KOMABAKO_BAD_RECORD);

    /* A number that is no piece; a position that this format does not hold; a side that is none. */
    boards[0].board[40] = 200;
    boards[1] = empty;
    boards[2].side = 2;
    CHECK(komabako_pack(KOMABAKO_HCP, boards, 3, out, faults) == 0);
    CHECK(faults[0] && faults[1] && faults[2]);
    komabako_fault_name(faults[0], name, sizeof name);
    CHECK(strcmp(name, "ARRAY_PIECE") == 0);
    CHECK(komabako_pack(KOMABAKO_HCP, boards, 3, out, NULL) == KOMABAKO_BAD_RECORD);
    CHECK(komabako_pack(KOMABAKO_C250, &empty, 1, out, NULL) == 0);

    /* The first bad record is named, whatever its fault. */
    boards[0] = empty;
    boards[1].board[40] = 200;
    CHECK(komabako_pack(KOMABAKO_HCP, boards, 2, out, NULL) == KOMABAKO_BAD_RECORD && error_has("record 0: "));
}

static void rows_are_those_of_the_specification(void) {
    komabako_board start;
    memset(&start, 0, sizeof start);
    const uint8_t back[9] = {2, 3, 4, 7, 8, 7, 4, 3, 2};
    for (int file = 0; file < 9; file++) {
        start.board[9 * file + 0] = (uint8_t)(back[file] + 16);
        start.board[9 * file + 2] = 17;
        start.board[9 * file + 6] = 1;
        start.board[9 * file + 8] = back[file];
    }
    start.board[9 + 7] = 6;
    start.board[63 + 7] = 5;
    start.board[9 + 1] = 5 + 16;
    start.board[63 + 1] = 6 + 16;
    uint8_t word[32];
    CHECK(komabako_pack(KOMABAKO_PACKED_SFEN, &start, 1, word, NULL) == 0);
    CHECK(komabako_feature_active(KOMABAKO_HALFKP) == 38 && komabako_feature_inputs(KOMABAKO_HALFKP) == 125388);
    int32_t rows[2 * 38];
    CHECK(komabako_features(KOMABAKO_HALFKP, KOMABAKO_BLACK_FIRST, word, 1, rows, NULL) == 0);
    for (int view = 0; view < 2; view++) {
        int32_t least = INT32_MAX, sum = 0;
        for (int i = 0; i < 38; i++) {
            if (rows[38 * view + i] < least) least = rows[38 * view + i];
            sum += rows[38 * view + i];
        }
        CHECK(least == 68208 && sum == 2605103);
    }
    uint8_t words[64], faults[2];
    memset(words, 0xff, 32);
    memcpy(words + 32, word, 32);
    int32_t two[4 * 38];
    CHECK(komabako_features(KOMABAKO_HALFKP, KOMABAKO_BLACK_FIRST, words, 2, two, faults) == 0);
    CHECK(faults[0] != 0 && faults[1] == 0 && two[0] == -1 && two[75] == -1);
    CHECK(memcmp(two + 76, rows, sizeof rows) == 0);
}

/* Any bytes: no crash, and what is read can be packed again. */
static void random_bytes_do_no_harm(unsigned rounds) {
    uint32_t state = 1;
    uint8_t bytes[16 * 40], faults[16], out[16 * 40];
    komabako_board boards[16];
    int32_t rows[16 * 84];
    for (unsigned round = 0; round < rounds; round++) {
        for (size_t i = 0; i < sizeof bytes; i++) {
            state = state * 1664525u + 1013904223u;
            bytes[i] = (uint8_t)(state >> 24);
        }
        /* Half of them damaged records, which get further than random bytes. */
        if (round % 2) {
            for (int i = 0; i < 16; i++) {
                memcpy(bytes + 40 * i, psv + 40 * ((round + (unsigned)i) % RECORDS), 40);
                bytes[40 * i + (state >> 8) % 40] ^= (uint8_t)(1u << (state >> 4) % 8);
                state = state * 1664525u + 1013904223u;
            }
        }
        for (int32_t format = 1; format <= 22; format++) {
            if (komabako_record_size(format) < 0) continue;
            CHECK(komabako_unpack(format, bytes, 16, boards, faults) == 0);
            CHECK(komabako_recode(format, 16 + (int32_t)(round % 2) * 2, bytes, 16, out, faults) == 0);
        }
        CHECK(komabako_pack(KOMABAKO_C250, (const komabako_board *)(const void *)bytes, 6, out, faults) == 0);
        CHECK(komabako_features(1 + (int32_t)(round % 10), 0, bytes, 16, rows, faults) == 0);
    }
}

/* A plan for the sample records. */
static const char *plan(char *text, size_t size, const char *folder, const char *rest) {
    snprintf(text, size, "{\"sources\": [{\"path\": \"%s/sample.psv\"}], \"batch\": 300, \"memory\": 67108864%s}", folder, rest);
    return text;
}

static const char RIFFLE[] =
    ", \"seed\": 3, \"features\": \"halfkp\", \"buckets\": \"k3k3\", \"targets\": {\"curve\": \"wrm\", \"lambda\": 0.7}";

static void loaders_are_read_and_resumed(const char *folder) {
    char text[8192], state[4096];
    komabako_loader *loader, *other;
    komabako_batch *batch;
    plan(text, sizeof text, folder, RIFFLE);
    CHECK(komabako_loader_open(text, &loader) == 0 && komabako_loader_open(text, &other) == 0);
    size_t total = 0, steps = 0, size = 0, length = 0;
    double sum = 0;
    int32_t status;
    while ((status = komabako_loader_next(loader, &batch)) == 1) {
        CHECK(batch->size == sizeof *batch && batch->records <= 300 && batch->step == steps && batch->epoch == 0);
        CHECK(batch->stm_length == batch->records * 38 && batch->nstm_length == batch->stm_length);
        CHECK(batch->psv && batch->weights && batch->stm && batch->buckets && batch->targets);
        CHECK(!batch->wdl && !batch->moves && !batch->planes1 && !batch->stm_offsets);
        for (size_t i = 0; i < batch->records; i++) {
            CHECK(batch->buckets[i] >= 0 && batch->buckets[i] < 9 && batch->targets[i] >= 0 && batch->targets[i] <= 1);
            CHECK(batch->weights[i] == 1);
            sum += batch->targets[i];
        }
        total += batch->records;
        steps++;
        if (steps == 3) {
            CHECK(komabako_loader_state(loader, NULL, &size) == 0 && size > 10 && size <= sizeof state);
            length = size - 1;
            CHECK(komabako_loader_state(loader, state, &length) == KOMABAKO_BAD_ARGUMENT && length == size);
            length = 0;
            CHECK(komabako_loader_state(loader, state, &length) == KOMABAKO_BAD_ARGUMENT && length == size);
            length = sizeof state;
            CHECK(komabako_loader_state(loader, state, &length) == 0 && length == size && strlen(state) + 1 == size);
            CHECK(komabako_loader_resume(other, state) == 0);
        } else if (steps > 3) {
            /* What follows the state is the same. */
            komabako_batch *same;
            CHECK(komabako_loader_next(other, &same) == 1 && same->records == batch->records);
            CHECK(memcmp(same->psv, batch->psv, 40 * batch->records) == 0);
            CHECK(memcmp(same->stm, batch->stm, sizeof(int32_t) * batch->stm_length) == 0);
            komabako_batch_free(same);
        }
        komabako_batch_free(batch);
    }
    CHECK(status == 0 && batch == NULL && total == RECORDS && steps == 7 && sum > 1);
    CHECK(komabako_loader_next(loader, &batch) == 1 && batch->epoch == 1);
    /* A batch outlives its loader. */
    komabako_loader_close(loader);
    CHECK(batch->records == 300 && batch->stm[0] >= 0);
    komabako_batch_free(batch);
    komabako_loader_close(other);
}

static void plans_and_states_are_checked(const char *folder) {
    char text[8192];
    komabako_loader *loader = (komabako_loader *)(void *)text;
    komabako_batch *batch;
    size_t size = 0;
    CHECK(komabako_loader_open(NULL, &loader) == KOMABAKO_BAD_ARGUMENT);
    CHECK(komabako_loader_open("{}", NULL) == KOMABAKO_BAD_ARGUMENT);
    CHECK(komabako_loader_open("\xff", &loader) == KOMABAKO_BAD_ARGUMENT);
    CHECK(komabako_loader_open("", &loader) == KOMABAKO_BAD_PLAN && loader == NULL);
    CHECK(komabako_loader_open("{\"sources\": [{\"path\": \"no such file.psv\"}]}", &loader) == KOMABAKO_BAD_SOURCE);
    CHECK(error_has("no such file.psv"));
    CHECK(komabako_loader_open(plan(text, sizeof text, folder, ", \"order\": \"no\""), &loader) == KOMABAKO_BAD_PLAN);
    CHECK(komabako_loader_open(plan(text, sizeof text, folder, ", \"world\": 2, \"rank\": 2"), &loader) == KOMABAKO_BAD_PLAN);
    CHECK(komabako_loader_open(plan(text, sizeof text, folder, ", \"policy\": {\"visits\": {\"temperature\": 1, \"layout\": \"csr\"}}"),
                               &loader) == KOMABAKO_BAD_PLAN);
    CHECK(komabako_loader_open(plan(text, sizeof text, folder, RIFFLE), &loader) == 0);
    CHECK(komabako_loader_resume(loader, "no state") == KOMABAKO_BAD_STATE);
    CHECK(komabako_loader_resume(loader, NULL) == KOMABAKO_BAD_ARGUMENT);
    CHECK(komabako_loader_next(loader, NULL) == KOMABAKO_BAD_ARGUMENT);
    CHECK(komabako_loader_next(NULL, &batch) == KOMABAKO_BAD_ARGUMENT);
    CHECK(komabako_loader_state(NULL, NULL, &size) == KOMABAKO_BAD_ARGUMENT);
    CHECK(komabako_loader_state(loader, NULL, NULL) == KOMABAKO_BAD_ARGUMENT);
    CHECK(komabako_loader_next(loader, &batch) == 1);
    komabako_batch_free(batch);
    komabako_loader_close(loader);
    komabako_batch_free(NULL);
    komabako_loader_close(NULL);
}

static void records_without_a_place_are_counted(void) {
    char name[64], text[512];
    komabako_board empty;
    memset(&empty, 0, sizeof empty);
    uint8_t word[32], records[3 * 36];
    CHECK(komabako_recode(KOMABAKO_PSV, KOMABAKO_EXT36, psv, 1, records, NULL) == 0);
    CHECK(komabako_pack(KOMABAKO_SSPFV1_EXT, &empty, 1, word, NULL) == 0);
    CHECK(komabako_recode(KOMABAKO_SSPFV1_EXT, KOMABAKO_EXT36, word, 1, records + 36, NULL) == 0);
    memset(records + 72, 0xff, 36);
    snprintf(name, sizeof name, "komabako-abi-%ld.ext36", (long)getpid());
    FILE *file = fopen(name, "wb");
    CHECK(file && fwrite(records, sizeof records, 1, file) == 1 && fclose(file) == 0);
    snprintf(text, sizeof text, "{\"sources\": [{\"path\": \"%s\", \"format\": \"ext36\"}], \"on_bad_record\": \"skip\"}", name);
    komabako_loader *loader;
    komabako_batch *batch;
    komabako_counts counts;
    CHECK(komabako_loader_open(text, &loader) == 0);
    CHECK(komabako_loader_counts(loader, NULL) == KOMABAKO_BAD_ARGUMENT);
    CHECK(komabako_loader_next(loader, &batch) == 1 && batch->records == 1);
    CHECK(komabako_loader_counts(loader, &counts) == 0 && counts.kingless == 1 && counts.bad == 1);
    komabako_batch_free(batch);
    komabako_loader_close(loader);
    CHECK(remove(name) == 0);
}

static void a_child_cannot_use_a_loader(const char *folder) {
    char text[8192];
    komabako_loader *loader;
    komabako_batch *batch;
    CHECK(komabako_loader_open(plan(text, sizeof text, folder, ", \"threads\": 2"), &loader) == 0);
    pid_t child = fork();
    if (child == 0) {
        int is_refused = komabako_loader_next(loader, &batch) == KOMABAKO_BAD_ARGUMENT && error_has("fork");
        komabako_loader_close(loader);
        // An exit would be a leak to valgrind: the threads that the child lacks hold what they were given.
        if (is_refused) {
            raise(SIGKILL);
        }
        _exit(1);
    }
    int status = 1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    CHECK(komabako_loader_next(loader, &batch) == 1);
    komabako_batch_free(batch);
    komabako_loader_close(loader);
}

static void *in_a_thread(void *unused) {
    (void)unused;
    char text[64];
    CHECK(komabako_error(text, sizeof text) == 0);
    random_bytes_do_no_harm(20);
    CHECK(komabako_record_size(99) == KOMABAKO_BAD_ARGUMENT && error_has("99"));
    return NULL;
}

static void threads_have_their_own_errors(void) {
    pthread_t threads[2];
    CHECK(komabako_record_size(98) == KOMABAKO_BAD_ARGUMENT);
    for (int i = 0; i < 2; i++) CHECK(pthread_create(&threads[i], NULL, in_a_thread, NULL) == 0);
    for (int i = 0; i < 2; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(error_has("98"));
}

int main(int count, char **arguments) {
    if (count < 2) return 2;
    unsigned rounds = count > 2 ? (unsigned)atoi(arguments[2]) : 200;
    load(arguments[1], "sample.psv", psv, sizeof psv);
    load(arguments[1], "sample.hcpe", hcpe, sizeof hcpe);
    empty_arrays_may_be_null();
    hostile_arguments_are_refused();
    samples_convert_and_come_back();
    bad_records_are_named_or_counted();
    rows_are_those_of_the_specification();
    random_bytes_do_no_harm(rounds);
    plans_and_states_are_checked(arguments[1]);
    loaders_are_read_and_resumed(arguments[1]);
    records_without_a_place_are_counted();
    a_child_cannot_use_a_loader(arguments[1]);
    threads_have_their_own_errors();
    puts("abi: good");
    return 0;
}
