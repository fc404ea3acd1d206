#!/usr/bin/env node
// The launcher: runs on any Node. A Node that is too old starts the project's own (a devDependency of the checkout), or
// says what to do. No `node:` prefix and no newer syntax here: old versions have to read this file.
/* biome-ignore-all lint/style/useNodejsImportProtocol: old versions do not know it */
import { spawn } from 'child_process'
import { existsSync, readFileSync } from 'fs'
import { fileURLToPath } from 'url'

const here = path => fileURLToPath(new URL(path, import.meta.url))
const { version, engines } = JSON.parse(readFileSync(here('../package.json'), 'utf8'))
const oldest = engines.node.replace('>=', '').split('.').map(Number)
const own = here('../node_modules/node/bin/node')
const main = here('../dist/main.js')
const [major, minor] = process.versions.node.split('.').map(Number)
const isNewEnough = major > oldest[0] || (major === oldest[0] && minor >= oldest[1])

if (process.argv[2] === '--version' || process.argv[2] === '-V') {
  process.stdout.write(`${version}\n`)
} else if (!existsSync(main)) {
  fail('tokgrid is not built yet.', 'Run `npm ci`, or `npm run build`, in its folder.')
} else if (isNewEnough) {
  import('../dist/main.js')
} else if (existsSync(own)) {
  start(own)
} else {
  fail(
    `tokgrid needs Node ${oldest.join('.')} or newer; this is ${process.versions.node}.`,
    'Install a newer Node, for example: npm install --global node@24',
  )
}

function fail(what, todo) {
  process.stderr.write(`${what}\n${todo}\n`)
  process.exitCode = 1
}

/** Runs the same command in `node`. A pipe that closes with this process tells the child when it dies. */
function start(node) {
  const child = spawn(node, [main, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { ...process.env, TOKGRID_LAUNCHER_PIPE: '3' },
  })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  child.on('error', error =>
    fail(`tokgrid could not start ${node}: ${error.message}`, 'Run `npm ci` in its folder.'),
  )
  child.on('exit', (code, signal) => {
    for (const name of signals) process.removeAllListeners(name)
    if (signal === null) process.exit(code)
    process.kill(process.pid, signal)
  })
}
