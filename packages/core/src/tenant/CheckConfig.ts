import { Effect } from "effect"
import { checkRules } from "../pipeline/Rule.ts"
import { ReplyTemplates } from "../port/ReplyTemplates.ts"
import type { TenantConfig } from "./TenantConfig.ts"

/** One thing that is wrong with a configuration. `path` is joined with dots, for example `rules.2.when.all.0.op`. */
export interface ConfigIssue {
  readonly path: string
  readonly message: string
}

const isTimeZone = (zone: string): boolean => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone })
    return true
  } catch {
    return false
  }
}

const checkTemplates = (config: TenantConfig, check: (template: string) => string | null): ReadonlyArray<ConfigIssue> =>
  config.rules.flatMap((rule, index) =>
    rule.actions.flatMap((action, position) => {
      if (action.type !== "reply" || action.template === undefined) return []
      const message = check(action.template)
      return message === null ? [] : [{ path: `rules.${index}.actions.${position}.template`, message }]
    })
  )

/** Everything that keeps a configuration from being saved; empty when it may be. */
export const checkConfig = Effect.fn("checkConfig")(function* (config: TenantConfig) {
  const templates = yield* ReplyTemplates
  const issues: ReadonlyArray<ConfigIssue> = [
    ...(isTimeZone(config.timeZone) ? [] : [{ path: "time_zone", message: "Not an IANA time zone." }]),
    ...(config.thresholds.hot > config.thresholds.warm
      ? []
      : [{ path: "tiers.hot", message: "The hot threshold has to be above the warm one." }]),
    ...checkRules(config.rules).map((issue) => ({ path: `rules.${issue.path}`, message: issue.message })),
    ...checkTemplates(config, templates.check)
  ]
  return issues
})
