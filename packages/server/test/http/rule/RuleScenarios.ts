import { base, contact, lengthOf, made, nextNumber, type Scenario } from "../../world/PostWorld.ts"

const ruleOf = (id: string) => ({
  id,
  name: "A rule",
  priority: 10,
  when: { fact: "message.text", op: "contains", value: id },
  actions: [{ type: "tag", tag: "seen" }]
})

const storedRule = async (more: object): Promise<string> => {
  const id = `rule-${nextNumber()}`
  await made("/api/v1/config/acme/rules", { ...ruleOf(id), ...more })
  return id
}

/** The requests of `IdempotentPosts.test.ts` about rules. */
export const ruleScenarios: Readonly<Record<string, () => Promise<Scenario>>> = {
  "rules.create": async () => ({
    body: ruleOf(`rule-${nextNumber()}`),
    effects: lengthOf("/api/v1/config/acme/rules", "rules")
  }),
  "rules.enable": async () => ({ params: { rule_id: await storedRule({ enabled: false }) }, body: null }),
  "rules.disable": async () => ({ params: { rule_id: await storedRule({}) }, body: null }),
  "pipeline.startRule": async () => {
    const ruleId = await storedRule({ trigger: { type: "manual" }, when: { all: [] } })
    const contactId = await contact()
    return {
      params: { rule_id: ruleId },
      body: { contact_id: contactId },
      effects: lengthOf(`${base}/pipeline/trigger-runs?contact_id=${contactId}`, "trigger_runs")
    }
  },
  "simulations.rule": async () => ({
    body: { rule_id: await storedRule({ trigger: { type: "manual" }, when: { all: [] } }) },
    other: { max: 11 }
  }),
  "rules.test": async () => ({ body: { rule_id: await storedRule({}), message: "A kitchen?" } })
}
