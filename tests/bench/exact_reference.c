/* The band bitboards of engine/exact in C: the same tables, the same order of deductions and of guesses.
 *
 * A position: where each digit may stand, [band][digit], one word of 27 bits (bit 9*row + column); the same when the
 * digit was last looked at; cells without a digit; cells with two candidates.
 */
#include <stdint.h>
#include <string.h>

enum { ALL = (1 << 27) - 1, ROWS = 0x40201, MINI = 0x1249249, STACK = 0x1C0E07, LOW8 = 0x3FDFEFF, BIT8 = 0x4020100,
       LEVELS = 82 };

typedef struct {
    uint32_t may[3][9], seen[3][9], open[3], pairs[3];
} Position;

static uint32_t minirows[512], minicolumns[512], alone[27];

static uint32_t kept(int nine, const uint32_t *bit_of) {
    static const int slots[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    uint32_t all = 0;
    for (int way = 0; way < 6; way++) {
        int used = 0;
        uint32_t bits = 0;
        for (int line = 0; line < 3; line++) {
            used |= 1 << (3 * line + slots[way][line]);
            bits |= bit_of[3 * line + slots[way][line]];
        }
        if ((nine & used) == used) all |= bits;
    }
    return all;
}

void fill_tables(void) {
    uint32_t rows[9], columns[9];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            rows[3 * i + k] = 7u << (9 * k + 3 * i);
            columns[3 * i + k] = 1u << (9 * i + k);
        }
    for (int nine = 0; nine < 512; nine++) {
        minirows[nine] = kept(nine, rows);
        minicolumns[nine] = kept(nine, columns);
    }
    for (int cell = 0; cell < 27; cell++) {
        uint32_t peers = 0;
        for (int other = 0; other < 27; other++)
            if (other / 9 == cell / 9 || other % 9 / 3 == cell % 9 / 3) peers |= 1u << other;
        alone[cell] = (ALL & ~peers) | 1u << cell;
    }
}

static inline uint32_t minirows_kept(uint32_t word) {
    uint32_t x = (word | word >> 1 | word >> 2) & MINI;
    return word & minirows[(x | x >> 8 | x >> 16) & 0x1FF];
}

static inline uint32_t columns_of(uint32_t word) { return (word | word >> 9 | word >> 18) & 0x1FF; }

static inline uint32_t stack_kept(uint32_t x) { return minicolumns[(x | x >> 6 | x >> 12) & 0x1FF]; }

static inline uint32_t minicolumns_kept(uint32_t columns) {
    return stack_kept(columns & STACK) | stack_kept(columns >> 3 & STACK) << 3 | stack_kept(columns >> 6 & STACK) << 6;
}

static inline uint32_t singles(uint32_t word) {
    uint32_t more = word & (word - ROWS);
    more = (((more & LOW8) + LOW8) | more) & BIT8;
    return word & ~((more << 1) - (more >> 8));
}

static inline void clear(Position *p, uint32_t cells, int band) {
    p->open[band] &= ~cells;
    for (int digit = 0; digit < 9; digit++) p->may[band][digit] &= ~cells;
}

static int digits_settled(Position *p) {
    for (int changed = 1; changed;) {
        changed = 0;
        for (int digit = 0; digit < 9; digit++) {
            uint32_t a = p->may[0][digit], b = p->may[1][digit], c = p->may[2][digit];
            if (a == p->seen[0][digit] && b == p->seen[1][digit] && c == p->seen[2][digit]) continue;
            changed = 1;
            for (;;) {
                a = minirows_kept(a), b = minirows_kept(b), c = minirows_kept(c);
                if (!a || !b || !c) return 0;
                uint32_t open = columns_of(a) | columns_of(b) << 9 | columns_of(c) << 18;
                uint32_t left = minicolumns_kept(open);
                if (left == open) break;
                if (!left) return 0;
                a &= (left & 0x1FF) * ROWS, b &= (left >> 9 & 0x1FF) * ROWS, c &= (left >> 18) * ROWS;
            }
            uint32_t new_a = singles(a) & p->open[0], new_b = singles(b) & p->open[1], new_c = singles(c) & p->open[2];
            if (new_a) clear(p, new_a, 0);
            if (new_b) clear(p, new_b, 1);
            if (new_c) clear(p, new_c, 2);
            p->may[0][digit] = p->seen[0][digit] = a;
            p->may[1][digit] = p->seen[1][digit] = b;
            p->may[2][digit] = p->seen[2][digit] = c;
        }
    }
    return 1;
}

static int naked_singles(Position *p) {
    int found = 0;
    for (int band = 0; band < 3; band++) {
        uint32_t once = 0, twice = 0, thrice = 0;
        for (int digit = 0; digit < 9; digit++) {
            uint32_t word = p->may[band][digit];
            thrice |= twice & word;
            twice |= once & word;
            once |= word;
        }
        if (once != ALL) return -1;
        p->pairs[band] = twice & ~thrice;
        uint32_t naked = once & ~twice & p->open[band];
        if (!naked) continue;
        found++;
        for (int digit = 0; digit < 9; digit++)
            for (uint32_t hit = naked & p->may[band][digit]; hit; hit &= hit - 1)
                p->may[band][digit] &= alone[__builtin_ctz(hit)];
    }
    return found;
}

static inline int is_full(const Position *p) { return !(p->open[0] | p->open[1] | p->open[2]); }

static int settled(Position *p) {
    for (;;) {
        if (!digits_settled(p)) return 0;
        if (is_full(p)) return 1;
        int found = naked_singles(p);
        if (found <= 0) return found == 0;
    }
}

static void branch(Position *p) {
    Position *above = p + 1;
    int band = 0, digit = 0, most = 0;
    uint32_t cell = 0;
    for (int k = 0; k < 3; k++) {
        uint32_t pairs = p->pairs[k] & p->open[k];
        int many = __builtin_popcount(pairs);
        if (many > most) band = k, cell = pairs, most = many;
    }
    if (!most)
        for (band = 0; !(cell = p->open[band]);) band++;
    cell &= -cell;
    memcpy(above, p, sizeof *p);
    while (!(p->may[band][digit] & cell)) digit++;
    p->may[band][digit] &= ~cell;
    uint32_t word = above->may[band][digit] & alone[__builtin_ctz(cell)];
    clear(above, cell, band);
    above->may[band][digit] = word;
}

static void set_up(Position *p, const uint8_t *givens) {
    for (int k = 0; k < 27; k++) p->may[k / 9][k % 9] = ALL;
    memset(p->seen, 0, sizeof p->seen);
    for (int band = 0; band < 3; band++) {
        uint32_t given = 0;
        for (int cell = 0; cell < 27; cell++) {
            int value = givens[27 * band + cell];
            if (!value) continue;
            given |= 1u << cell;
            p->may[band][value - 1] &= alone[cell];
            p->seen[band][value - 1] |= 1u << cell;
        }
        for (int digit = 0; digit < 9; digit++) p->may[band][digit] &= ~given | p->seen[band][digit];
        p->open[band] = ALL & ~given;
    }
    memset(p->seen, 0xFF, sizeof p->seen); /* no word: every digit is looked at */
}

static void write_cells(const Position *p, uint8_t *cells) {
    for (int band = 0; band < 3; band++)
        for (int digit = 0; digit < 9; digit++)
            for (uint32_t word = p->may[band][digit]; word; word &= word - 1)
                cells[27 * band + __builtin_ctz(word)] = digit + 1;
}

/* Every puzzle of 81 bytes: its first solution, and how many it has up to the limit. Returns the guesses made. */
int64_t solve_batch(const uint8_t *puzzles, uint8_t *solutions, int64_t *counts, int64_t many, int64_t limit) {
    static Position stack[LEVELS];
    int64_t guesses = 0;
    for (int64_t k = 0; k < many; k++) {
        Position *p = stack;
        set_up(p, puzzles + 81 * k);
        counts[k] = 0;
        while (p >= stack && counts[k] < limit) {
            if (!settled(p)) p--;
            else if (is_full(p)) {
                if (!counts[k]++) write_cells(p, solutions + 81 * k);
                p--;
            } else {
                branch(p);
                guesses++;
                p++;
            }
        }
    }
    return guesses;
}
