import type { Rule } from "@leadloom/client"
import { Schema } from "effect"
import { optionalText } from "../Input.ts"
import { defineTool, readOnly } from "../Tool.ts"
import { ToolFailed } from "../ToolFailed.ts"

const brief = ({ actions, enabled = true, id, name, priority }: Rule) => ({
  id,
  name,
  priority,
  enabled,
  actions: actions.map(({ type }) => type)
})

export const listRules = defineTool({
  name: "list_rules",
  title: "List rules",
  description:
    "List the rules of the tenant in the order of evaluation, or read one rule completely with `rule_id`. Use it before backtest_rule, because it shows the form of conditions and actions.",
  rights: ["manage"],
  hints: readOnly,
  // The people of the tenant write the rules. Without marks, the model can pass a rule on unchanged.
  output: { untrusted: false },
  input: Schema.Struct({ rule_id: optionalText("The id of one rule, which is then returned completely") }),
  run: async ({ rule_id }, { client, tenantId }) => {
    const { config, version } = await client.config.get(tenantId)
    if (rule_id === undefined) return { config_version: version, rules: config.rules.map(brief) }
    const rule = config.rules.find(({ id }) => id === rule_id)
    if (rule === undefined) throw new ToolFailed(`NOT_FOUND: There is no rule ${rule_id}. list_rules shows the ids.`)
    return { config_version: version, rule }
  }
})

const json = Schema.Record(Schema.String, Schema.Json)

/** The outer form of a rule. The API validates conditions and actions. */
const ProposedRule = Schema.Struct({
  id: Schema.String.annotate({ description: "The id of the rule to replace, or a new one" }),
  name: Schema.String.annotate({ description: "A name for people" }),
  priority: Schema.Int.annotate({ description: "Lower numbers run first" }),
  enabled: Schema.optionalKey(Schema.Boolean.annotate({ description: "Default: true" })),
  when: json.annotate({ description: "The condition, in the form that list_rules shows" }),
  actions: Schema.Array(json).annotate({ description: "1 to 20 actions, in the form that list_rules shows" })
}).annotate({ description: "The proposed rule" })

const replaced = (rules: ReadonlyArray<Rule>, proposed: Rule): ReadonlyArray<Rule> =>
  rules.some(({ id }) => id === proposed.id)
    ? rules.map((rule) => (rule.id === proposed.id ? proposed : rule))
    : [...rules, proposed]

export const backtestRule = defineTool({
  name: "backtest_rule",
  title: "Back-test a rule",
  description:
    "Test a new or changed rule on past messages: which messages it would have matched, and which replies, actions, intents and tiers would have changed. Stores and sends nothing, and calls no language model. Changing the configuration itself is not possible through MCP.",
  rights: ["manage"],
  hints: readOnly,
  output: { untrusted: true, maxText: 300 },
  input: Schema.Struct({
    rule: ProposedRule,
    since: optionalText("Ignore older messages (ISO 8601); default: 30 days ago"),
    limit: Schema.optionalKey(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 })).annotate({
        description: "The maximum number of messages, newest first; default: 2000"
      })
    )
  }),
  run: async ({ limit = 2_000, rule, since }, { client, tenantId }) => {
    const { config } = await client.config.get(tenantId)
    // The API rejects a rule that does not have this type, with the invalid fields.
    const rules = replaced(config.rules, rule as unknown as Rule)
    return { ...(await client.backtest.run(tenantId, { rules, since, limit, examples: 2 })) }
  }
})
