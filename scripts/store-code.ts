import { packages, sources, storeCode } from './load-bundle.ts'

/** Runs every module of a compiled tree once, and stores their compiled code. */
for (const run of [...packages, ...sources]) run()
storeCode()
