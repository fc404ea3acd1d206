// Bundles src/ into dist/: one file for each thread, code split so that `--help` never loads the screen.
import { rmSync, writeFileSync } from 'node:fs'
import { type BuildOptions, build } from 'esbuild'
import { buildPage } from './build-page.ts'

const root = new URL('..', import.meta.url).pathname

/** Options of the bundle; a benchmark puts another load worker in its place. */
export const bundle: BuildOptions & { readonly entryPoints: Record<string, string> } = {
  absWorkingDir: root,
  entryPoints: {
    main: 'src/cli/main.ts',
    'load-worker': 'src/load/worker.ts',
    'simulator-thread': 'src/simulator/thread.ts',
  },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.19',
  sourcemap: 'linked',
  logLevel: 'warning',
  // Production React costs 40 % less CPU a frame; its devtools are never loaded then.
  define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
  external: ['react-devtools-core'],
  // CommonJS dependencies inside an ES module bundle still call require().
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
}

if (import.meta.main) {
  rmSync(`${root}dist`, { recursive: true, force: true })
  await build(bundle)
  const { script, style } = await buildPage()
  writeFileSync(`${root}dist/report-page.js`, script)
  writeFileSync(`${root}dist/report-page.css`, style)
}
