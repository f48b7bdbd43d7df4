import { Effect } from "effect"
import { readConfig } from "../../config/Config.ts"
import type { Environment } from "../../config/Variables.ts"
import type { Check } from "../Check.ts"
import { healthy, type Finding, problem, warning } from "../Finding.ts"

/** Variables that the command line or the tests read, but the server does not. */
const others = /^LEADLOOM_(?:URL|API_KEY|TEST_\w+)$/u

/** Returns the names of the variables that the server reads in this environment. */
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

/**
 * Returns all variables that the server reads. Some variables are read only if another one is set, so the names are
 * collected twice: from an empty environment and from the given one.
 */
const knownVariables = (env: Environment): ReadonlySet<string> => new Set([...requested({}), ...requested(env)])

const strangers = (env: Environment): ReadonlyArray<Finding> => {
  const known = knownVariables(env)
  return Object.keys(env)
    .filter((name) => name.startsWith("LEADLOOM_") && !known.has(name) && !others.test(name))
    .map((name) =>
      warning(
        `${name} is set, but the server does not read it.`,
        `Correct the name. Valid names: ${[...known].join(", ")}.`
      )
    )
}

/** Checks that all variables are valid and that the important ones are set. */
export const configuration: Check = {
  name: "configuration",
  run: ({ config, env, mistakes }) =>
    Effect.sync(() => {
      if (config === null) {
        return [
          ...mistakes.map((line) => problem(line, "Correct the variable. The server does not start until then.")),
          ...strangers(env)
        ]
      }
      const unset = [
        ...(config.adminKeys.length === 0
          ? [
              warning(
                "LEADLOOM_ADMIN_KEY is not set: no tenant can be created.",
                "Set it, e.g. to the output of: openssl rand -hex 32"
              )
            ]
          : []),
        ...(config.sessionSecrets.length === 0
          ? [
              warning(
                "LEADLOOM_SESSION_SECRET is not set: sessions are disabled.",
                "Set it, e.g. to the output of: openssl rand -hex 32"
              )
            ]
          : [])
      ]
      return [healthy("The configuration is valid."), ...unset, ...strangers(env)]
    })
}
