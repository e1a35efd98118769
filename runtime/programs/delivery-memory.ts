/**
 * How the memory of a delivery process is set, wherever one is started: by the supervisor here, by `npm run
 * start:delivery`, in the compose file, the chart and the units of systemd, which a test holds equal to this.
 */

/**
 * Options of Node. The garbage of slots is collected in one go of ten to twenty milliseconds once there are 32 MB of
 * it. The young generation has that size from the beginning: a smaller one is collected more often, and takes what is
 * in use at that moment for what stays. Without the memory reducer: it makes the heap small in a quiet second, and in
 * the next busy one all of it is looked through again every few seconds.
 */
export const DELIVERY_NODE_OPTIONS = ['--max-semi-space-size=32', '--min-semi-space-size=32', '--no-memory-reducer'];

/**
 * Environment. A decision reads lines of some tens of megabytes of columns; in pages of 2 MB instead of 4 KB the core
 * finds their addresses. The C library asks for such pages where the system leaves that to programs (`madvise` in
 * `/sys/kernel/mm/transparent_hugepage/enabled`); another system, or another library, goes on as before.
 */
export const DELIVERY_ENV = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' };
