/* The packed-word swap kernel of engine/solvers/annealing/packed.py, as one would write it in C: the mark to beat.
 *
 * Metropolis swaps inside boxes (or rows) at n = 9 with exponential cooling that is held at a floor. Draws, thresholds
 * and bookkeeping are those of the engine, so that both end in the same grid after the same steps.
 */
#include <stdint.h>
#include <string.h>

enum { CELLS = 81, PAIRS = 324, MIDDLE = 4 };

typedef struct {
    uint64_t words[10];          /* per value: its counts in the two families of units, in bit fields */
    uint64_t change[PAIRS];      /* per pair: what moving a value from the first to the second cell adds to its word */
    uint64_t thresholds[9];      /* per delta + MIDDLE: the draw must be below */
    uint64_t low, mask;          /* fields of two bits; the bits that say "this count is not zero" */
    uint64_t key;                /* of the stream of moves */
    uint64_t pair_count;
    int64_t step, energy, best, minimum, accepted, uphill, plateau_accepted, plateau_moves, plateau_length, plateaus;
    double temperature, alpha, floor;
    uint8_t first[PAIRS], second[PAIRS];
    uint8_t cells[CELLS], best_cells[CELLS];
} Run;

static inline uint64_t mix64(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

static inline int present(uint64_t word, uint64_t low, uint64_t mask)
{
    return __builtin_popcountll((word | ((word >> 1) & low)) & mask);
}

static double exp_negative(double x)
{
    static const double ln2_high = 0x1.62E42FEEp-1, ln2_low = 0x1.A39EF35793C76p-33;
    double factorial = 1.0, inverse[15], series = 0.0, y;
    if (x > 745.0)
        return 0.0;
    int k = (int)(x * 1.4426950408889634 + 0.5);
    double r = k * ln2_high - x + k * ln2_low;
    for (int i = 1; i <= 14; i++)
        inverse[i] = 1.0 / (factorial *= i);
    for (int i = 14; i >= 2; i--)
        series = series * r + inverse[i];
    y = 1.0 + (r + r * r * series);
    for (; k >= 32; k -= 32)
        y *= 0x1p-32;
    return y / (double)(1ll << k);
}

void fill_thresholds(Run *run)
{
    double weight = run->temperature > 0.0 ? exp_negative(1.0 / run->temperature) : 0.0, p = 1.0;
    for (int i = 0; i <= MIDDLE; i++)
        run->thresholds[i] = 1ull << 32;
    for (int i = MIDDLE + 1; i < 9; i++)
        run->thresholds[i] = (uint64_t)((p *= weight) * 4294967296.0);
}

static void end_plateau(Run *run)
{
    double next = run->temperature * run->alpha;
    if (next < run->floor)
        next = run->floor;
    if (next != run->temperature) {
        run->temperature = next;
        fill_thresholds(run);
    }
    run->plateau_moves = run->plateau_accepted = 0;
    run->minimum = run->energy;
    run->plateaus++;
}

/* Up to n swaps; returns how many were made (fewer only when E = 0). */
int64_t advance(Run *restrict run, int64_t n)
{
    const uint64_t gamma = 0x9E3779B97F4A7C15ull, low = run->low, mask = run->mask, pairs = run->pair_count;
    int64_t done = 0;
    while (done < n && run->energy > 0) {
        int64_t burst = run->plateau_length - run->plateau_moves, i = 0;
        int64_t energy = run->energy, minimum = run->minimum, accepted = 0, uphill = 0;
        uint64_t z = run->key + gamma * (((uint64_t)(run->step) << 16) + 1);
        if (burst > n - done)
            burst = n - done;
        while (i < burst) {
            i++;
            z += gamma << 16;
            uint64_t word = mix64(z), pair = ((word >> 32) * pairs) >> 32, change = run->change[pair];
            uint8_t a = run->first[pair], b = run->second[pair], x = run->cells[a], y = run->cells[b];
            uint64_t from_x = run->words[x], from_y = run->words[y], to_x = from_x + change, to_y = from_y - change;
            int delta = present(from_x, low, mask) + present(from_y, low, mask)
                      - present(to_x, low, mask) - present(to_y, low, mask);
            if ((word & 0xFFFFFFFFull) < run->thresholds[delta + MIDDLE]) {
                run->words[x] = to_x;
                run->words[y] = to_y;
                run->cells[a] = y;
                run->cells[b] = x;
                energy += delta;
                accepted++;
                uphill += delta > 0;
                if (energy < minimum)
                    minimum = energy;
                if (energy < run->best) {
                    run->best = energy;
                    memcpy(run->best_cells, run->cells, CELLS);
                    if (energy == 0)
                        break;
                }
            }
        }
        done += i;
        run->step += i;
        run->energy = energy;
        run->minimum = minimum;
        run->accepted += accepted;
        run->uphill += uphill;
        run->plateau_accepted += accepted;
        run->plateau_moves += i;
        if (run->plateau_moves == run->plateau_length && energy > 0)
            end_plateau(run);
    }
    return done;
}
