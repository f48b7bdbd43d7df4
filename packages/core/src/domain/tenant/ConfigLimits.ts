/**
 * How large a configuration may be when it is saved. The limits are far above what people write by hand, and they keep an
 * evaluation of everything below the budget of a run for messages of usual length. A configuration that was saved before it
 * exceeded them still loads; the budget bounds what it costs.
 */
import type { Comparison, Condition } from "../rule/Condition.ts"
import type { Action } from "../rule/Rule.ts"
import type { TenantConfig } from "./TenantConfig.ts"

/** One thing that is wrong with a configuration. `path` is joined with dots, for example `rules.2.when.all.0.op`. */
export interface ConfigIssue {
  readonly path: string
  readonly message: string
}

/** Actions of all rules together. */
export const maxActions = 1_000
/** Comparisons in the conditions of all rules together. */
export const maxComparisons = 10_000
/** Comparisons with `matches` among them. */
export const maxPatterns = 2_000
/** Characters of all templates together. */
export const maxTemplateCharacters = 200_000
/** Phrases of all guardrails together. */
export const maxPhrases = 2_000

type Template = readonly [field: string, template: string | undefined]

/** The templates of an action, each under the name that it has there. */
export const templatesOf = (action: Action): ReadonlyArray<Template> => {
  switch (action.type) {
    case "reply":
      return [["template", action.template]]
    case "notify":
      return [["message", action.message]]
    case "tag":
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
    case "suppress_reply":
    case "stop":
      return []
  }
}

/** The comparisons of a condition, with a list of open branches: no condition can exhaust the stack. */
const comparisonsOf = (root: Condition): ReadonlyArray<Comparison> => {
  const open: Array<Condition> = [root]
  const found: Array<Comparison> = []
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if ("fact" in next) found.push(next)
    else if ("not" in next) open.push(next.not)
    else for (const child of "all" in next ? next.all : next.any) open.push(child)
  }
  return found
}

/** What is too large about a configuration; empty when nothing is. */
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
    ["rules", "characters in their templates", templates, maxTemplateCharacters],
    ["guardrails", "phrases", phrases, maxPhrases]
  ]
  return counted.flatMap(([path, what, count, max]) =>
    count <= max ? [] : [{ path, message: `All ${path} together have at most ${max} ${what}; these have ${count}.` }]
  )
}
