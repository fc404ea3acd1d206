import { build } from 'esbuild'

/** Bundles the script and the style of the HTML report; both stand in each report, so small matters. */
export async function buildPage(): Promise<{ readonly script: string; readonly style: string }> {
  const { outputFiles } = await build({
    absWorkingDir: new URL('..', import.meta.url).pathname,
    entryPoints: { page: 'src/report/html/page/main.ts', style: 'src/report/html/page/page.css' },
    outdir: 'dist',
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // The report is ASCII but for its texts.
    charset: 'ascii',
    logLevel: 'warning',
    write: false,
  })
  const text = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text.trim() ?? ''
  return { script: text('.js'), style: text('.css') }
}
