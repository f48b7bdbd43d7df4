import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { presets } from "../../../src/domain/tenant/preset/Preset.ts"
import { configJson, defaultConfig } from "../../../src/domain/tenant/TenantConfig.ts"

const decode = Schema.decodeUnknownSync(configJson.schema, { onExcessProperty: "error" })

describe("the JSON of a configuration", () => {
  it.each(presets.map(({ config, name }) => [name, config] as const))(
    "contains every field of the preset %s and restores it",
    (_, config) => {
      const json: unknown = JSON.parse(JSON.stringify(configJson.toJson(config)))
      expect(configJson.fromJson(decode(json))).toEqual(config)
    }
  )

  it("has the names of the API at every level", () => {
    const { public_form, tiers, voice } = configJson.toJson(defaultConfig)
    expect(tiers).toEqual({ hot: 70, warm: 40 })
    expect(public_form).toMatchObject({ allowed_origins: [], thank_you_url: null })
    expect(voice).toMatchObject({ forward_to: null, missed_call_task: true })
  })

  it("may omit the fields that the first version of the API did not have", () => {
    const { default_country, classifier, reply_mode, rules, score_weights, tiers, time_zone } =
      configJson.toJson(defaultConfig)
    const first = { default_country, classifier, reply_mode, rules, score_weights, tiers, time_zone }
    expect(configJson.fromJson(decode(first))).toEqual(defaultConfig)
    const form = { enabled: true, allowed_origins: ["https://www.acme.com"] }
    expect(configJson.fromJson(decode({ ...first, public_form: form })).publicForm).toEqual({
      ...defaultConfig.publicForm,
      enabled: true,
      allowedOrigins: ["https://www.acme.com"]
    })
    expect(() => decode({ ...first, public_form: { enabled: true } })).toThrow(/allowed_origins/u)
    const { tiers: _, ...incomplete } = first
    expect(() => decode(incomplete)).toThrow(/tiers/u)
  })
})

describe("a stored configuration", () => {
  it("of an earlier version gets the defaults of the fields it does not have, at every level", () => {
    const saved: Parameters<typeof configJson.complete>[0] = JSON.parse(
      '{"replyMode":"off","voice":{"forwardTo":null,"greeting":"Hello","record":true}}'
    )
    expect(configJson.complete(saved)).toEqual({
      ...defaultConfig,
      replyMode: "off",
      voice: { ...defaultConfig.voice, greeting: "Hello", record: true }
    })
  })
})
