import { inMemoryReplyTemplates } from "@leadloom/testkit/memory/ReplyTemplates"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import type { Rule } from "../../../src/domain/rule/Rule.ts"
import { defaultConfig } from "../../../src/domain/tenant/TenantConfig.ts"
import { ReplyTemplates } from "../../../src/port/provider/ReplyTemplates.ts"
import { checkConfig } from "../../../src/workflow/tenant/CheckConfig.ts"

describe("checkConfig", () => {
  it("lets other work run between the checks of rules and of templates", async () => {
    const order: Array<string> = []
    // Each turn of the event loop before the templates are checked adds an entry.
    const turn = (): void => {
      order.push("turn")
      if (order.length < 100 && !order.includes("templates")) setImmediate(turn)
    }
    const rule: Rule = {
      id: "roof",
      name: "Roof",
      priority: 1,
      when: { fact: "message.text", op: "contains", value: "roof" },
      actions: [{ type: "tag", tag: "{{ contact.name }}" }]
    }
    const config = { ...defaultConfig, rules: [rule] }
    const checked = Effect.provideServiceEffect(
      checkConfig(config),
      ReplyTemplates,
      Effect.map(ReplyTemplates, (templates) => ({
        ...templates,
        check: (template: string) => {
          order.push("templates")
          return templates.check(template)
        }
      }))
    )
    setImmediate(turn)
    expect(await Effect.runPromise(Effect.provide(checked, inMemoryReplyTemplates))).toEqual([])
    expect(order.indexOf("templates")).toBeGreaterThan(0)
  })
})
