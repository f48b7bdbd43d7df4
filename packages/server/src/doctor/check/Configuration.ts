import { Effect } from "effect"
import { readConfig } from "../../config/Config.ts"
import type { Environment } from "../../config/Variables.ts"
import type { Check } from "../Check.ts"
import { healthy, type Finding, problem, warning } from "../Finding.ts"

/** What the command line reads beside the server, and the tests. */
const others = /^LEADLOOM_(?:URL|API_KEY|TEST_\w+)$/u

/** The variables that the server reads where they stand like this. */
const requested = (env: Environment): ReadonlyArray<string> => {
  const names: Array<string> = []
  readConfig(
    new Proxy<Environment>(env, {
      get: (target, name) => {
        names.push(String(name))
        return Reflect.get(target, name)
      }
    })
  )
  return names
}

/** The variables that the server reads: some are only asked for when another one is set. */
const knownVariables = (env: Environment): ReadonlySet<string> => new Set([...requested({}), ...requested(env)])

const strangers = (env: Environment): ReadonlyArray<Finding> => {
  const known = knownVariables(env)
  return Object.keys(env)
    .filter((name) => name.startsWith("LEADLOOM_") && !known.has(name) && !others.test(name))
    .map((name) => warning(`${name} is set, and nothing reads it.`, `Correct its name: ${[...known].join(", ")}.`))
}

/** Every variable says something that can be meant, and those that matter are there. */
export const configuration: Check = {
  name: "configuration",
  run: ({ config, env, mistakes }) =>
    Effect.sync(() => {
      if (config === null) {
        return [
          ...mistakes.map((line) => problem(line, "Correct the variable; the server does not start like this.")),
          ...strangers(env)
        ]
      }
      const unset = [
        ...(config.adminKeys.length === 0
          ? [
              warning(
                "LEADLOOM_ADMIN_KEY is not set: nobody can create tenants.",
                "Set it, e.g. to: openssl rand -hex 32"
              )
            ]
          : []),
        ...(config.sessionSecrets.length === 0
          ? [
              warning(
                "LEADLOOM_SESSION_SECRET is not set: there are no sessions.",
                "Set it, e.g. to: openssl rand -hex 32"
              )
            ]
          : [])
      ]
      return [healthy("The environment makes a configuration."), ...unset, ...strangers(env)]
    })
}
