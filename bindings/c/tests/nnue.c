/* Streams of batches of the COO library, made and destroyed: `nnue FILE.psv TIMES`. Valid C11 and C++17. */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int num_inputs, size;
    float *is_white, *outcome, *score;
    int num_active_white_features, num_active_black_features;
    int *white, *black;
    float *white_values, *black_values, *ply;
} batch;

#ifdef __cplusplus
#define _Static_assert static_assert
extern "C" {
#endif
_Static_assert(sizeof(batch) == 80 && offsetof(batch, white) == 40 && offsetof(batch, ply) == 72, "as Python reads it");

void *create_sparse_batch_stream(const char *, int, const char *, int, bool, bool, int);
batch *fetch_next_sparse_batch(void *);
void destroy_sparse_batch(batch *);
void destroy_sparse_batch_stream(void *);
batch *get_sparse_batch_from_fens(const char *, int, const char *const *, const int *, const int *, const int *);
#ifdef __cplusplus
}
#endif

#define CHECK(condition)                                                     \
    do {                                                                     \
        if (!(condition)) {                                                  \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);  \
            exit(1);                                                         \
        }                                                                    \
    } while (0)

/* Reads every number of a batch, so that a checker of memory sees it. */
static double sum(const batch *batch) {
    double total = 0;
    for (int i = 0; i < batch->size; i++) total += batch->is_white[i] + batch->outcome[i] + batch->score[i] + batch->ply[i];
    for (int i = 0; i < batch->num_active_white_features; i++) {
        CHECK(batch->white[2 * i] < batch->size && batch->white[2 * i + 1] < batch->num_inputs);
        total += batch->white[2 * i + 1] * batch->white_values[i] + batch->black[2 * i + 1] * batch->black_values[i];
    }
    return total;
}

static void *fetch(void *stream) {
    batch *fetched;
    size_t count = 0;
    while ((fetched = fetch_next_sparse_batch(stream))) {
        CHECK(sum(fetched) > -1e12);
        count += (size_t)fetched->size;
        destroy_sparse_batch(fetched);
    }
    return (void *)count;
}

int main(int count, char **arguments) {
    CHECK(count == 3);
    const char *file = arguments[1];
    const char *const names[] = {"HalfKP", "HalfKP^", "HalfKA_hm"};
    for (int i = 0; i < atoi(arguments[2]); i++) {
        void *stream = create_sparse_batch_stream(names[i % 3], 1 + i % 3, file, 1 + i % 300, i % 2, false, 0);
        CHECK(stream);
        for (int j = 0; j < i % 3; j++) {
            batch *fetched = fetch_next_sparse_batch(stream);
            CHECK(fetched && fetched->size == 1 + i % 300 && sum(fetched) > -1e12);
            destroy_sparse_batch(fetched);
        }
        destroy_sparse_batch_stream(stream);
    }

    void *stream = create_sparse_batch_stream("HalfKA_hm", 2, file, 100, false, false, 0);
    CHECK(stream);
    pthread_t threads[2];
    size_t total = 0;
    for (int i = 0; i < 2; i++) CHECK(pthread_create(&threads[i], NULL, fetch, stream) == 0);
    for (int i = 0; i < 2; i++) {
        void *fetched;
        CHECK(pthread_join(threads[i], &fetched) == 0);
        total += (size_t)fetched;
    }
    CHECK(total == 2000);
    destroy_sparse_batch_stream(stream);

    const char *const fens[] = {"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"};
    const int number = 1;
    batch *one = get_sparse_batch_from_fens("HalfKP", 1, fens, &number, &number, &number);
    CHECK(one && one->size == 1 && one->num_active_white_features == 38 && sum(one) > 0);
    destroy_sparse_batch(one);
    destroy_sparse_batch(NULL);
    destroy_sparse_batch_stream(NULL);
    puts("nnue: good");
    return 0;
}
