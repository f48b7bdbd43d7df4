import { checkComparison } from "@leadloom/core/internal/domain/rule/CheckComparison"
import {
  maxConditionDepth,
  maxConditionNodes,
  maxListLength,
  maxValueLength
} from "@leadloom/core/internal/domain/rule/Condition"
import { factTable, type FactSpec, type FactType } from "@leadloom/core/internal/domain/rule/Fact"
import { type Operator, operatorsOf } from "@leadloom/core/internal/domain/rule/Operator"
import { maxQueuedRules } from "@leadloom/core/internal/domain/rule/Rule"
import { exampleFacts, exampleValue, operatorNotes } from "@leadloom/core/internal/domain/rule/OperatorNotes"
import { actionsWithoutMessage, factsWithoutMessage } from "@leadloom/core/internal/domain/rule/Trigger"
import { cell, markdownTable } from "./MarkdownTable.ts"
import { type JsonSchema, resolveSchema, schemas, typeName } from "./OpenApi.ts"

const typeTitles: Readonly<Record<FactType, string>> = {
  string: "Texts",
  number: "Numbers",
  boolean: "Booleans",
  list: "Lists of texts"
}

const factRows = Object.entries<FactSpec>(factTable).map(([name, { about, oneOf, type }]) => [
  `\`${name}\``,
  type,
  `${about}${oneOf === undefined ? "" : ` One of ${oneOf.map((value) => `\`${value}\``).join(", ")}.`}`
])

/** Returns an example of an operator. Fails if the server would reject it. */
const exampleOf = (op: Operator, type: FactType): string => {
  const comparison = { fact: exampleFacts[type], op, value: exampleValue(op, type) }
  const wrong = checkComparison(comparison)
  if (wrong !== null) throw new Error(`The example of ${op} is invalid: ${wrong.message}`)
  return `\`${JSON.stringify(comparison)}\``
}

const operatorSection = ([type, title]: readonly [FactType, string]): ReadonlyArray<string> => [
  `### ${title}`,
  "",
  ...markdownTable(
    ["operator", "true if", "example"],
    operatorsOf[type].map((op) => [`\`${op}\``, operatorNotes[op], exampleOf(op, type)])
  ),
  ""
]

const membersOf = (schema: JsonSchema): ReadonlyArray<JsonSchema> => {
  const { anyOf, ...rest } = resolveSchema(schema)
  return anyOf === undefined ? [rest] : anyOf.flatMap(membersOf)
}

const fieldText = ([name, schema]: readonly [string, JsonSchema], required: ReadonlyArray<string>): string =>
  `\`${name}\`${required.includes(name) ? "" : " (optional)"}: ${cell(resolveSchema(schema).description ?? typeName(schema))}`

const actionRow = ({ properties = {}, required = [] }: JsonSchema): ReadonlyArray<string> => {
  const { action, type, ...fields } = properties
  const kind = [type, action].flatMap((one) => (one === undefined ? [] : [typeName(one)])).join(" with `action` ")
  const about = (action ?? type)?.description ?? ""
  return [
    kind,
    `${about}.`,
    Object.entries(fields)
      .map((field) => fieldText(field, required))
      .join("; ")
  ]
}

const typeEntries: ReadonlyArray<readonly [FactType, string]> = [
  ["string", typeTitles.string],
  ["number", typeTitles.number],
  ["boolean", typeTitles.boolean],
  ["list", typeTitles.list]
]

const namesText = (names: ReadonlyArray<string>): string => names.map((name) => `\`${name}\``).join(", ")

const triggerSection = (): ReadonlyArray<string> => [
  "## Triggers",
  "",
  "`trigger` is the event to which a rule reacts. A rule with another trigger than `message_received` runs once for each cause;",
  "`GET /tenants/{tenant_id}/pipeline/trigger-runs` lists the runs. They evaluate the present facts when the rule runs, and do not",
  "take place if the cause no longer applies: a message was stored earlier, or the value has changed again. Only causes after the",
  "rule was saved count, except future dates, and a message that arrives more than one hour after it was written is no cause.",
  "Imports, merges and other rules with these triggers cause no runs. A new lead changes its state and stage from none to the",
  "first ones. See decisions [135](../decisions/0135-rule-triggers.md), [153](../decisions/0153-lead-fields-as-causes.md) and",
  "[143](../decisions/0143-schedules-and-requested-runs.md). Forms, calls and events of sources are messages: use `message_received`, and",
  "compare `message.channel`, `message.source` and `metadata.<key>`. A missed call has `metadata.call_status` other than",
  "`completed`.",
  "",
  ...markdownTable(["`type`", "event", "fields"], membersOf(schemas["Trigger"] ?? {}).map(actionRow)),
  "",
  `A tenant has at most ${maxQueuedRules} rules with such triggers. They start no other rule. They have no message, so they have only`,
  `these actions: ${namesText(actionsWithoutMessage)}.`,
  `They compare only these facts, and custom fields: ${namesText(factsWithoutMessage)}.`,
  ""
]

/** Returns the reference of rules, `docs/reference/rules.md`. */
export const rulesPage = (): string =>
  [
    "# Rules: facts, operators, actions",
    "",
    "Generated from `packages/core/src/domain/rule` and `packages/api/openapi.json` by `npm run generate`. Do not edit.",
    "",
    "`GET /api/v1/tenants/{tenant_id}/rules/catalogue` returns this vocabulary as JSON, with the custom fields of the tenant and",
    "a JSON Schema for each action. `/api/v1/config/{tenant_id}/rules` reads and changes single rules.",
    "",
    "A rule has a condition and actions. [Rules and back-tests](../how-to/rules-and-back-tests.md) shows how to change them. A",
    "condition compares a fact with a value, or combines conditions with `all`, `any` and `not`:",
    "",
    "```json",
    JSON.stringify(
      {
        all: [
          { fact: "message.channel", op: "eq", value: "email" },
          { not: { fact: "contact.tags", op: "includes", value: "vip" } }
        ]
      },
      null,
      2
    ),
    "```",
    "",
    `A rule has at most ${maxConditionNodes} conditions in ${maxConditionDepth} levels. A value has at most ${maxValueLength} characters, a list at most`,
    `${maxListLength} values.`,
    "",
    ...triggerSection(),
    "## Facts",
    "",
    "In addition, `metadata.<key>` is the value that the sender of the message set for this key. Its type follows from the",
    "operator and the value. A fact can be missing, for example `contact.phone`.",
    "",
    "In rules for messages, facts `conversation.…` describe the messages before the message of the run. In rules with other",
    "triggers, they describe all messages. See [decision 142](../decisions/0142-conversation-facts.md).",
    "",
    "`contact.custom_fields.<key>`, `lead.custom_fields.<key>` and `company.custom_fields.<key>` are the values of custom",
    "fields. Fields of the types `number` and `boolean` are numbers and booleans, `multi_select` is a list, and all other",
    "types are texts. Saving a rule with an unknown field fails and lists the known fields. A field that a rule compares",
    "cannot be deleted.",
    "",
    ...markdownTable(["fact", "type", "meaning"], factRows),
    "",
    "## Operators",
    "",
    "Texts are compared in lower case and without white space at their ends. If a fact is missing, only `neq`, `not_contains`,",
    "`not_in`, `not_includes` and `exists` with `false` are true.",
    "",
    ...typeEntries.flatMap(operatorSection),
    "## Actions",
    "",
    "The actions of a matched rule run in their order, after all rules were evaluated.",
    "",
    ...markdownTable(["`type`", "effect", "fields"], membersOf(schemas["Action"] ?? {}).map(actionRow)),
    ""
  ].join("\n")
