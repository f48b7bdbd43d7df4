/**
 * The size limits of a saved configuration. People do not reach them by hand. With these limits, the evaluation of all
 * rules for a message of usual length fits in the budget of a run. A configuration that was saved before the limits
 * existed can still be loaded. In that case, only the budget of each run limits its cost.
 */
import { comparisonsOf } from "../rule/Condition.ts"
import type { Action } from "../rule/Rule.ts"
import type { TenantConfig } from "./TenantConfig.ts"

/** An error in a configuration. `path` is joined with dots, for example `rules.2.when.all.0.op`. */
export interface ConfigIssue {
  readonly path: string
  readonly message: string
}

/** The maximum number of actions in all rules together. */
export const maxActions = 1_000
/** The maximum number of comparisons in all rules together. */
export const maxComparisons = 10_000
/** The maximum number of comparisons with `matches` in all rules together. */
export const maxPatterns = 2_000
/** The maximum length of all templates together, in characters. */
export const maxTemplateCharacters = 200_000
/** The maximum number of phrases in all guardrails together. */
export const maxPhrases = 2_000

type Template = readonly [field: string, template: string | undefined]

/** Returns the templates of an action with their field names. */
export const templatesOf = (action: Action): ReadonlyArray<Template> => {
  switch (action.type) {
    case "reply":
      return [["template", action.template]]
    case "send_template":
      return [
        ["body", action.body],
        ["subject", action.subject ?? undefined],
        ...(action.fallback ?? []).flatMap(({ body, subject }, index): ReadonlyArray<Template> => [
          [`fallback.${index}.body`, body],
          [`fallback.${index}.subject`, subject ?? undefined]
        ])
      ]
    case "notify":
      return [["message", action.message]]
    case "add_note":
    case "forward":
      return [["body", action.body]]
    case "tag":
    case "untag":
      return [["tag", action.tag]]
    case "assign":
      return [["to", action.to]]
    case "create_task":
      return [["title", action.title]]
    case "crm_action":
      return [
        ["body", "body" in action ? action.body : undefined],
        ["title", "title" in action ? action.title : undefined],
        ["tag", "tag" in action ? action.tag : undefined]
      ]
    case "transition":
    case "set_field":
    case "call_webhook":
    case "move_stage":
    case "close_conversation":
    case "snooze_conversation":
    case "start_sequence":
    case "stop_sequence":
    case "suppress_reply":
    case "stop":
      return []
  }
}

/** Returns an issue for each exceeded limit. */
export const checkLimits = ({ guardrails, rules }: TenantConfig): ReadonlyArray<ConfigIssue> => {
  const actions = rules.flatMap((rule) => rule.actions)
  const comparisons = rules.flatMap(({ when }) => comparisonsOf(when))
  const templates = actions.flatMap(templatesOf).reduce((sum, [, template]) => sum + (template?.length ?? 0), 0)
  const phrases = guardrails.reduce((sum, one) => sum + (one.kind === "blocked_phrases" ? one.phrases.length : 0), 0)
  const patterns = comparisons.filter(({ op }) => op === "matches").length
  const counted: ReadonlyArray<readonly [path: string, what: string, count: number, max: number]> = [
    ["rules", "actions", actions.length, maxActions],
    ["rules", "comparisons", comparisons.length, maxComparisons],
    ["rules", "patterns", patterns, maxPatterns],
    ["rules", "template characters", templates, maxTemplateCharacters],
    ["guardrails", "phrases", phrases, maxPhrases]
  ]
  return counted.flatMap(([path, what, count, max]) =>
    count <= max ? [] : [{ path, message: `The ${path} have ${count} ${what} in total. The maximum is ${max}.` }]
  )
}
