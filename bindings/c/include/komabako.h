/* Komabako for C11 and C++17: shogi positions packed and unpacked, records converted, inputs of networks.
 *
 * Link libkomabako_c, shared or static. docs/c.md is the guide, with examples.
 *
 * Every function may be called from any thread. None keeps a pointer to its arguments. Arrays must not overlap, and
 * must be as long as stated; a pointer may be NULL if its array is empty. Strings are UTF-8.
 *
 * A function that returns int32_t returns 0 or more if it succeeded, otherwise one of the negative numbers below; then
 * komabako_error gives the reason in words. A program error of the library itself (KOMABAKO_PANIC) never ends the
 * caller: results of that call are meaningless, later calls work.
 */
#ifndef KOMABAKO_H
#define KOMABAKO_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. Later versions add functions and numbers, and fields at the end of structures that
 * begin with their size. */
#define KOMABAKO_ABI 1
uint32_t komabako_abi(void);

/* Why a call failed. */
enum {
    KOMABAKO_BAD_ARGUMENT = -1, /* a null pointer, an unknown number, arrays that overlap or are impossibly long */
    KOMABAKO_BAD_RECORD = -2,   /* a record that cannot be read or written, and no array for faults was given */
    KOMABAKO_BAD_PLAN = -3,     /* of the loader: options that contradict each other, or a plan that is not one */
    KOMABAKO_NO_RANDOM_ACCESS = -4,   /* a file that can only be read from its start, in an order that needs any record */
    KOMABAKO_TOO_LITTLE_MEMORY = -5,
    KOMABAKO_BAD_SOURCE = -6,         /* a file that cannot be read, or has changed */
    KOMABAKO_STATE_MISMATCH = -7,     /* a state of another plan or of other files */
    KOMABAKO_BAD_STATE = -8,          /* a text that is no state */
    KOMABAKO_BAD_POLICY = -9,         /* a request that a source cannot serve */
    KOMABAKO_BAD_FEATURE = -10,
    KOMABAKO_SYSTEM = -11,            /* the system refused a thread */
    KOMABAKO_OTHER = -12,
    KOMABAKO_PANIC = -99              /* a program error of the library */
};

/* Writes the reason of the last failed call of this thread to `buffer`, with a final 0, cut to `size` bytes. Returns
 * its length without the final 0; 0 if none failed. */
size_t komabako_error(char *buffer, size_t size);

/* Formats of packed positions, and of records of positions with labels. Their specifications are in FORMATS.md. */
enum {
    KOMABAKO_SSPFV1 = 1,
    KOMABAKO_PACKED_SFEN = 2, /* YaneuraOu's word, as in PSV */
    KOMABAKO_HCP = 3,         /* HuffmanCodedPos, as in hcpe */
    KOMABAKO_NSHOGI = 4,
    KOMABAKO_SSPFV1_EXT = 5,
    KOMABAKO_C250 = 6,
    KOMABAKO_R238 = 7,
    KOMABAKO_PSV = 16,         /* PackedSfenValue */
    KOMABAKO_PSV_LENIENT = 17, /* also damaged words of some other writers; it can only be read */
    KOMABAKO_HCPE = 18,        /* HuffmanCodedPosAndEval */
    KOMABAKO_HCPE2 = 19,
    KOMABAKO_COMPACT36 = 20,
    KOMABAKO_COMPACT32 = 21,
    KOMABAKO_EXT36 = 22
};

/* The size in bytes of a word or record of a format: 30, 32, 36, 38 or 40. */
int32_t komabako_record_size(int32_t format);

/* A position. Pieces on squares: 0 none, P L N S B R G K are 1 to 8, 8 more if promoted, 16 more if White's. Square
 * 9 * (file - 1) + (rank - 1). Hands: Black's and White's numbers of P L N S G B R. Side: 0 Black to move, 1 White. */
typedef struct {
    uint8_t board[81];
    uint8_t hands[2][7];
    uint8_t side;
    uint8_t reserved[3]; /* write 0 */
} komabako_board;

/* Faults. A function with an array `faults` writes one byte for each record: 0 if it is good, otherwise the number of its
 * fault; the results of a bad record are zeros, and the call succeeds. If `faults` is NULL, the first bad record makes
 * the call fail with KOMABAKO_BAD_RECORD. */

/* Writes the name of a fault, such as KING_CODE, like komabako_error. Length 0: there is no such fault. */
size_t komabako_fault_name(uint8_t fault, char *buffer, size_t size);

/* Unpacks `n` words, or the positions of `n` records, of a format. Reads n * komabako_record_size(format) bytes. */
int32_t komabako_unpack(int32_t format, const uint8_t *words, size_t n, komabako_board *out, uint8_t *faults);

/* Packs `n` positions into words of a format of packed positions. Writes n * komabako_record_size(format) bytes. */
int32_t komabako_pack(int32_t format, const komabako_board *boards, size_t n, uint8_t *words, uint8_t *faults);

/* Converts `n` words or records to another format, for example PSV to hcpe. What the other format does not hold is left
 * out; what `in` does not have is 0. */
int32_t komabako_recode(int32_t from, int32_t to, const uint8_t *in, size_t n, uint8_t *out, uint8_t *faults);

/* Sets of inputs of NNUE networks. */
enum {
    KOMABAKO_HALFKP = 1,
    KOMABAKO_HALFKPVM = 2,
    KOMABAKO_HALFKPE9 = 3,
    KOMABAKO_HALFKA1 = 4,
    KOMABAKO_HALFKA2 = 5,
    KOMABAKO_HALFKA_HM1 = 6,
    KOMABAKO_HALFKA_HM2 = 7,
    KOMABAKO_KP = 8,
    KOMABAKO_KA2 = 9,
    KOMABAKO_PIECES = 10
};

/* The number of inputs of a set, and the largest number of active ones, which is the length of a row. */
int32_t komabako_feature_inputs(int32_t set);
int32_t komabako_feature_active(int32_t set);

/* The view whose row comes first. */
enum { KOMABAKO_SIDE_TO_MOVE_FIRST = 0, KOMABAKO_BLACK_FIRST = 1 };

/* Writes the active inputs of `n` PackedSfen words (32 bytes each): for each position the row of either colour, indices
 * and then -1 to the end: n * 2 * komabako_feature_active(set) numbers. A position without both kings is bad
 * (KING_MISSING); rows of bad positions are -1. */
int32_t komabako_features(int32_t set, int32_t first, const uint8_t *words, size_t n, int32_t *rows, uint8_t *faults);

/* The loader: batches for training from files of records, shuffled on the fly, selected, with inputs and targets. A plan is
 * JSON; docs/c.md has an example and lists its members. One loader may be used by several
 * threads, one call after the other. */
typedef struct komabako_loader komabako_loader;

/* A batch. Arrays that the plan does not ask for are NULL. Nothing may be written to it. */
typedef struct {
    size_t size;    /* of this structure */
    size_t records; /* n */
    uint64_t epoch;
    uint64_t step;
    const uint8_t *psv;   /* n * 40 bytes */
    const float *weights; /* n */
    const int32_t *stm;   /* inputs of the first view, by the layout: n rows, pairs of row and index, or indices */
    const int32_t *nstm;  /* of the other view */
    size_t stm_length;    /* in numbers */
    size_t nstm_length;
    const int64_t *stm_offsets; /* layout offsets: where each row starts, and the end: n + 1 */
    const int64_t *nstm_offsets;
    const int32_t *buckets;  /* n */
    const float *targets;    /* n */
    const float *wdl;        /* n * 3: loss, draw, win */
    const int64_t *moves;    /* n classes; -1 for none */
    const float *planes1;    /* n * 62 * 81, dlshogi's features1 */
    const float *planes2;    /* n * 57 * 81 */
    const uint16_t *planes1_f16;
    const uint16_t *planes2_f16;
    const uint8_t *planes1_bytes; /* a byte for each number, or as bits: n * 628 bytes */
    const uint8_t *planes2_bytes; /* the same; as bits: n * 8 bytes */
} komabako_batch;

/* Opens the files of a plan, which may not ask for a policy of visits. The loader is closed by komabako_loader_close. A child process
 * after a fork cannot use it (KOMABAKO_BAD_ARGUMENT), only close it. */
int32_t komabako_loader_open(const char *plan_json, komabako_loader **out);

/* Makes the next batch. 1: a batch, to be freed by komabako_batch_free; 0: the end of an epoch, after which the next begins.
 * After an error the next call tries again from the same place. */
int32_t komabako_loader_next(komabako_loader *loader, komabako_batch **out);

/* Records that had no place in the batches so far. */
typedef struct {
    uint64_t kingless; /* positions that lack a king, unless the plan has "on_kingless": "zero" */
    uint64_t bad;      /* bad records, if the plan has "on_bad_record": "skip" */
} komabako_counts;

/* Counts them. */
int32_t komabako_loader_counts(const komabako_loader *loader, komabako_counts *out);

/* Writes the place after the last batch as text with a final 0 to a buffer of `*size` bytes, and to `*size` what it takes. With
 * a NULL buffer only the latter. A buffer that is too small is a bad argument. */
int32_t komabako_loader_state(const komabako_loader *loader, char *buffer, size_t *size);

/* Goes to a place: the batches that follow are those that followed there. */
int32_t komabako_loader_resume(komabako_loader *loader, const char *state);

/* Free a batch, also after its loader is closed, and a loader. NULL is nothing. */
void komabako_batch_free(komabako_batch *batch);
void komabako_loader_close(komabako_loader *loader);

#ifdef __cplusplus
}
#endif

#endif
