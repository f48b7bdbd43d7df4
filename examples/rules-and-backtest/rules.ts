import type { Rule } from "@leadloom/client"

/** The proposed rules. A rule replaces the rule of the tenant with the same id. */
export const rules: ReadonlyArray<Rule> = [
  {
    id: "water-damage",
    name: "Water damage is called back within the hour",
    priority: 10,
    when: {
      any: [
        { fact: "message.text", op: "has_word", value: "leak" },
        { fact: "message.text", op: "has_word", value: "flood" }
      ]
    },
    actions: [
      { type: "tag", tag: "water-damage" },
      { type: "create_task", task_type: "callback", title: "Call back: water damage", due_in_minutes: 60 }
    ]
  }
]
