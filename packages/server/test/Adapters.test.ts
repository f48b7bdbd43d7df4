import { Classifier } from "@leadloom/core/internal/port/provider/Classifier"
import { EmailTransport } from "@leadloom/core/internal/port/provider/EmailTransport"
import { ReplyWriter } from "@leadloom/core/internal/port/provider/ReplyWriter"
import { SmsProvider } from "@leadloom/core/internal/port/provider/SmsProvider"
import { Randomness } from "@leadloom/core/internal/port/system/Ids"
import { Objects } from "@leadloom/core/internal/port/system/Objects"
import * as PooledParser from "@leadloom/connectors/internal/parse/PooledParser"
import { refused } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { publicOnly } from "@leadloom/core/internal/domain/webhook/EgressPolicy"
import { MailboxAccounts } from "@leadloom/core/internal/port/repository/conversation/MailboxAccounts"
import * as NodeEgress from "@leadloom/connectors/internal/egress/NodeEgress"
import { inMemoryVault } from "@leadloom/testkit/memory/Vault"
import { Context, Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import * as Adapters from "../src/Adapters.ts"
import { readConfig, type ServerConfig } from "../src/config/Config.ts"
import { StartupFailed } from "../src/startup/StartupFailed.ts"

const configOf = (env: Readonly<Record<string, string>> = {}): ServerConfig => {
  const config = readConfig(env)
  if ("mistakes" in config) throw new Error(config.mistakes.join())
  return config
}

const noAccounts = Layer.mock(MailboxAccounts, {})

/** Builds the adapters. Rejects with the failure of the layer. */
const build = (config: ServerConfig, own: Adapters.Adapters) => {
  const random = Randomness.layer((size) => new Uint8Array(size))
  const all = Layer.provide(
    Adapters.layer(config, own),
    Layer.mergeAll(random, PooledParser.layer, NodeEgress.layer({ policy: publicOnly }), inMemoryVault, noAccounts)
  )
  return Effect.runPromise(Effect.scoped(Layer.build(all)))
}

const model = { LEADLOOM_LLM_MODEL: "llama3", LEADLOOM_LLM_BASE_URL: "http://localhost:11434/v1" }

const smsProvider = SmsProvider.of({
  configured: true,
  sendsMedia: false,
  send: () => Effect.fail(refused("sms", "no")),
  find: () => Effect.succeed([]),
  media: () => Effect.fail(refused("sms", "no"))
})

describe("the adapters of a server", () => {
  it("are those of the program, and of the configuration for all other ports", async () => {
    const context = await build(configOf(), { smsProvider: Layer.succeed(SmsProvider, smsProvider) })
    expect(Context.get(context, SmsProvider)).toBe(smsProvider)
    expect(Context.get(context, EmailTransport)).toBeDefined()
  })

  it("replace one part of a configured language model and keep the other", async () => {
    const configured = async (own: Adapters.Adapters) => {
      const context = await build(configOf(model), own)
      return [Context.get(context, Classifier).configured, Context.get(context, ReplyWriter).configured]
    }
    expect(await configured({})).toEqual([true, true])
    expect(await configured({ classifier: Classifier.layerNone })).toEqual([false, true])
    expect(await configured({ replyWriter: ReplyWriter.layerNone })).toEqual([true, false])
  })

  it("can refuse to start with a reason", async () => {
    const failed = new StartupFailed({ line: "The bucket is missing. Create it." })
    const objects = Layer.effect(Objects, Effect.fail(failed))
    await expect(build(configOf(), { objects })).rejects.toBe(failed)
  })
})
