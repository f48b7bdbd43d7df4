import { Effect } from "effect"
import { configWarnings } from "../../config/CheckEnvironment.ts"
import type { Check } from "../Check.ts"
import { healthy, problem, warning } from "../Finding.ts"

/** Checks that all variables are valid and that the important ones are set. */
export const configuration: Check = {
  name: "configuration",
  run: ({ config, mistakes }) =>
    Effect.sync(() => {
      if (config === null) {
        return mistakes.map((line) => problem(line, "Correct the variable. The server does not start until then."))
      }
      const unset = configWarnings(config).map(({ advice, found }) => warning(found, advice))
      return [healthy("The configuration is valid."), ...unset]
    })
}
