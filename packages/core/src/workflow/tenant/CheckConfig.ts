import { Effect } from "effect"
import { checkForm } from "../../domain/tenant/PublicForm.ts"
import { emailStepVariables } from "../../domain/sequence/Sequence.ts"
import { scoreFactorNames } from "../../domain/lead/Score.ts"
import { checkGuardrails } from "../../domain/guardrail/CheckGuardrails.ts"
import { type Action, checkRules } from "../../domain/rule/Rule.ts"
import { ReplyTemplates } from "../../port/provider/ReplyTemplates.ts"
import { checkLimits, type ConfigIssue, templatesOf } from "../../domain/tenant/ConfigLimits.ts"
import type { TenantConfig } from "../../domain/tenant/TenantConfig.ts"
import { isOrigin, isSecureOrigin } from "../../domain/tenant/WebOrigin.ts"
import { timeZoneOf } from "../../domain/time/TimeFacts.ts"
import { templateIssue } from "../reply/CannedReplies.ts"
import { withSpan } from "../WithSpan.ts"

export type { ConfigIssue } from "../../domain/tenant/ConfigLimits.ts"

/** Returns a function that moves the path of an issue below a place. */
export const below =
  (place: string) =>
  (issue: ConfigIssue): ConfigIssue => ({
    path: issue.path === "" ? place : `${place}.${issue.path}`,
    message: issue.message
  })

/** Returns an issue for each invalid template of actions. Paths begin with the position of the action. */
export const checkActions = (
  actions: ReadonlyArray<Action>,
  check: (template: string) => string | null
): ReadonlyArray<ConfigIssue> =>
  actions.flatMap((action, position) =>
    templatesOf(action).flatMap(([field, template]) => {
      const message = template === undefined ? null : check(template)
      return message === null ? [] : [{ path: `${position}.${field}`, message }]
    })
  )

const noTemplate: Action = { type: "stop" }

const checkTemplates = (config: TenantConfig, check: (template: string) => string | null): ReadonlyArray<ConfigIssue> =>
  config.rules.flatMap(({ actions }, index) => {
    // Messages are checked with their variables.
    const others = actions.map((action) => (action.type === "send_template" ? noTemplate : action))
    return checkActions(others, check).map(below(`rules.${index}.actions`))
  })

/** Returns an issue for each unknown variable in the messages of rules, as for sequences. */
const checkMessages = Effect.fnUntraced(function* ({ rules }: TenantConfig) {
  const issues: Array<ConfigIssue> = []
  for (const [index, { actions }] of rules.entries()) {
    for (const [position, action] of actions.entries()) {
      if (action.type !== "send_template") continue
      for (const [field, template] of templatesOf(action)) {
        const message = template === undefined ? null : yield* templateIssue(template, emailStepVariables)
        if (message !== null) issues.push({ path: `rules.${index}.actions.${position}.${field}`, message })
      }
    }
  }
  return issues
})

const checkWeights = ({ scoreWeights }: TenantConfig): ReadonlyArray<ConfigIssue> =>
  Object.keys(scoreWeights)
    .filter((name) => !scoreFactorNames.includes(name))
    .map((name) => ({
      path: `score_weights.${name}`,
      message: `Unknown score factor. Use one of: ${scoreFactorNames.join(", ")}.`
    }))

/** The origins are those of pages that hold a credential, so only TLS or the same computer is accepted. */
const checkSessionOrigins = (origins: ReadonlyArray<string>): ReadonlyArray<ConfigIssue> =>
  origins.flatMap((origin, index) =>
    isOrigin(origin) && isSecureOrigin(origin)
      ? []
      : [
          {
            path: `session_origins.${index}`,
            message:
              "Expected an https origin in the format of browsers, for example https://app.acme.com. Only localhost may use http."
          }
        ]
  )

/**
 * Returns the issues that prevent a configuration from being saved. Empty when it is valid. Yields between the checks
 * of rules and of templates, because each takes several milliseconds for the largest configuration.
 */
export const checkConfig = Effect.fnUntraced(function* (config: TenantConfig) {
  const templates = yield* ReplyTemplates
  const limits = checkLimits(config)
  // A configuration that exceeds a limit is not checked further, because the other checks take time.
  if (limits.length > 0) return limits
  yield* Effect.yieldNow
  const rules = checkRules(config.rules)
  yield* Effect.yieldNow
  const issues: ReadonlyArray<ConfigIssue> = [
    ...(timeZoneOf(config.timeZone) !== null
      ? []
      : [{ path: "time_zone", message: "Unknown time zone. Send an IANA name such as Europe/Berlin." }]),
    ...(config.thresholds.hot > config.thresholds.warm
      ? []
      : [{ path: "tiers.hot", message: "The hot threshold must be above the warm one." }]),
    ...(config.voice.callbackHours.from < config.voice.callbackHours.to
      ? []
      : [{ path: "voice.callback_hours.to", message: "The callback hours must end after they start." }]),
    ...checkWeights(config),
    ...checkForm(config.publicForm).map(below("public_form")),
    ...checkSessionOrigins(config.sessionOrigins),
    ...checkGuardrails(config.guardrails).map(below("guardrails")),
    ...rules.map(below("rules")),
    ...checkTemplates(config, templates.check),
    ...(yield* checkMessages(config))
  ]
  return issues
}, withSpan("checkConfig"))
