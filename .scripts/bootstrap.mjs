import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { plan, usage } from "./plan.mjs"
import { installKey, isStamped, stamp } from "./stamp.mjs"
import { command, step, StepFailed } from "./step.mjs"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, "node_modules")
const node = join(modules, ".bin", "node")
const stampFile = join(modules, ".leadloom-install")

/**
 * Returns the environment for package managers. `npm run` passes the user's `.npmrc` on as variables. Some of them cause
 * warnings; `ignore-scripts` would skip the installation of Node.js, and `NODE_ENV=production` would skip the tools.
 */
const managerEnvironment = () => ({
  NODE_ENV: undefined,
  npm_config_nodedir: undefined,
  npm_config_omit_lockfile_registry_resolved: undefined,
  npm_config_ignore_scripts: "false",
  npm_config_loglevel: "error",
  npm_config_fetch_retries: process.env["npm_config_fetch_retries"] ?? "1"
})

/** @type {ReadonlyArray<readonly [RegExp, string]>} */
const reasons = [
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|META_FETCH_FAIL|FETCH_ERROR|error sending request/u,
    "Cannot reach the package registry. Check the network and the registry and proxy of npm, then run the command again."
  ],
  [/EROFS|EACCES|EPERM/u, `npm cannot write its files. Check that you own ${root} and npm's cache folder.`],
  [/ENOSPC/u, "The disk is full. Free some space and run the command again."],
  [
    /OUTDATED_LOCKFILE|FROZEN_LOCKFILE|"frozen-lockfile" because/u,
    "pnpm-lock.yaml does not match the package.json files. Check out both from the same commit."
  ]
]

/** @param {string} output */
const explain = (output) => {
  const found = reasons.find(([pattern]) => pattern.test(output))
  if (found !== undefined) return found[1]
  return `The installation failed. Last lines of its output:\n${output.trimEnd().split("\n").slice(-15).join("\n")}`
}

const assertWritable = () => {
  const probe = join(modules, ".leadloom-write")
  try {
    mkdirSync(modules, { recursive: true })
    writeFileSync(probe, "")
    rmSync(probe)
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    throw new StepFailed(
      `Cannot write to ${root} (${code}). Copy the project to a folder that you own and run it there.`
    )
  }
}

/** @param {string} pnpm the version of pnpm */
const install = async (pnpm) => {
  const key = installKey(root)
  if (existsSync(node) && isStamped(stampFile, key)) return { ok: true, note: "up to date" }
  assertWritable()
  rmSync(stampFile, { force: true })
  const script = "pnpm install --frozen-lockfile --config.confirm-modules-purge=false"
  const args = ["--yes", "--loglevel=error", "-p", `pnpm@${pnpm}`, "-c", script]
  const { code, output } = await command("npx", args, { cwd: root, env: managerEnvironment() })
  if (code === 127 && !/pnpm/u.test(output)) {
    throw new StepFailed("npx was not found. Install npm, which is part of Node.js, and run the command again.")
  }
  if (code === 130) throw new StepFailed("Stopped.", 130)
  if (code !== 0) throw new StepFailed(explain(output))
  if (!existsSync(node))
    throw new StepFailed(
      "The installation did not create node_modules/.bin/node. Delete node_modules and run the command again."
    )
  stamp(stampFile, key)
  return { ok: true }
}

/**
 * Installs missing dependencies, then runs the task with the workspace's own Node.js.
 * @param {string} pnpm the version of pnpm
 * @param {string | undefined} task
 * @param {ReadonlyArray<string>} rest
 */
export const run = async (pnpm, task, rest) => {
  const steps = task === undefined ? undefined : plan[task]
  if (task === undefined || steps === undefined) {
    console.error(`Unknown task ${task ?? "(none)"}. Tasks of npm run:\n  ${usage.join("\n  ")}`)
    process.exitCode = 2
    return
  }
  try {
    await step({ number: 1, total: steps.length, label: steps[0] ?? "" }, () => install(pnpm))
    const { code } = await command(node, [join(root, ".scripts", "tasks.ts"), task, ...rest], {
      cwd: root,
      env: {
        ...managerEnvironment(),
        NODE_ENV: process.env["NODE_ENV"],
        PATH: join(modules, ".bin") + delimiter + (process.env["PATH"] ?? "")
      },
      live: true
    })
    process.exitCode = code
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error
    console.error(error.message)
    process.exitCode = error.exitCode
  }
}
