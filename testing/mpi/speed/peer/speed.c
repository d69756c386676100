// The peer of main.go: MPI_Iallreduce, asked by MPI_Test until it is complete, and MPI_Allreduce, which blocks.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

static int ascending(const void *a, const void *b) {
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

int main(int argc, char **argv) {
	int level, rank, sizes[] = {1 << 10, 1 << 20, 100 << 20};
	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int k = 0; k < 3; k++) {
		int count = sizes[k] / 4, n = k == 0 ? 1000 : k == 1 ? 200 : 10, calls = k == 0 ? 10 : 1;
		float *x;
		double decile[2], times[1000];
		MPI_Alloc_mem(sizes[k], MPI_INFO_NULL, &x);
		memset(x, 0, sizes[k]);
		for (int blocking = 0; blocking < 2; blocking++) {
			for (int i = 0; i < n; i++) {
				double start = now();
				for (int j = 0; j < calls; j++) {
					if (blocking) {
						MPI_Allreduce(MPI_IN_PLACE, x, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
					} else {
						MPI_Request request;
						int done = 0;
						MPI_Iallreduce(MPI_IN_PLACE, x, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD, &request);
						while (!done) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
					}
				}
				times[i] = (now() - start) / calls;
			}
			qsort(times, n, sizeof *times, ascending);
			decile[blocking] = times[n / 10];
		}
		if (rank == 0) printf("c %d same %.2f blocking %.2f\n", sizes[k], decile[0], decile[1]);
		MPI_Free_mem(x);
	}
	MPI_Finalize();
	return 0;
}
