import { defaultConfig, type TenantConfig } from "./TenantConfig.ts"

/** Configurations to start from. A new preset is a new entry here. */
const presets: Readonly<Record<string, TenantConfig>> = {
  default: defaultConfig,
  home_services: {
    ...defaultConfig,
    classifier: "keywords",
    rules: [
      {
        id: "rule_emergency",
        name: "Emergencies first",
        priority: 10,
        when: { fact: "classification.urgency", op: "eq", value: "high" },
        actions: [
          { type: "tag", tag: "urgent" },
          { type: "create_task", task_type: "callback", title: "Call back an urgent enquiry", due_in_minutes: 15 }
        ]
      },
      {
        id: "rule_quote",
        name: "Quotes get an answer",
        priority: 20,
        when: { fact: "classification.intent", op: "in", value: ["pricing", "purchase", "quote"] },
        actions: [
          { type: "tag", tag: "quote" },
          {
            type: "reply",
            template:
              "Hello {{ contact.first_name | default: 'there' }},\n\nThank you for asking {{ tenant.name }} for a quote. We will come back to you with a price today.\n\n{{ tenant.name }}"
          }
        ]
      }
    ]
  }
}

/** The configuration of a preset, or null when there is none of that name. */
export const findPreset = (name: string): TenantConfig | null =>
  Object.entries(presets).find(([known]) => known === name)?.[1] ?? null

/** Every preset, in the order they are offered. */
export const presetNames: ReadonlyArray<string> = Object.keys(presets)
