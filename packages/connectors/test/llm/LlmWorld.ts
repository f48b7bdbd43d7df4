import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { ModelFailed, ModelMissing } from "@leadloom/core/internal/domain/classification/Model"
import type { MessageToClassify } from "@leadloom/core/internal/port/provider/Classifier"
import { Classifier } from "@leadloom/core/internal/port/provider/Classifier"
import { Randomness } from "@leadloom/core/internal/port/system/Ids"
import { type ReplyToWrite, ReplyWriter } from "@leadloom/core/internal/port/provider/ReplyWriter"
import { Effect, Layer, ManagedRuntime, Redacted, Result } from "effect"
import * as LanguageModel from "../../src/llm/LanguageModel.ts"
import type { LlmConfig } from "../../src/llm/LlmConfig.ts"

export const apiKey = "sk-test-0123456789abcdef"

export const configOf = (baseUrl: string, changes: Partial<LlmConfig> = {}): LlmConfig => ({
  provider: "openai",
  baseUrl,
  apiKey: Redacted.make(apiKey),
  model: "gpt-test",
  timeoutMillis: 20_000,
  concurrency: 8,
  coversHipaa: false,
  ...changes
})

export const toClassify: MessageToClassify = {
  tenantName: "Acme Kitchens",
  channel: "email",
  subject: "Kitchen",
  text: "What does a kitchen cost?"
}

export const toAnswer: ReplyToWrite = {
  tenantName: "Acme Kitchens",
  assistant: { instructions: "Be brief.", knowledge: "Open 9 to 5.", linkHosts: ["acme.com"] },
  contactName: "Jane",
  channel: "email",
  subject: "Kitchen",
  classification: null,
  conversation: [{ actor: "contact", text: "What does a kitchen cost?", at: 0 }]
}

export const classification = {
  intent: "pricing",
  urgency: "medium",
  sentiment: "neutral",
  summary: "Asks what a kitchen costs.",
  confidence: 0.9
} as const

/** Starts a client of the model's server. Detected capabilities last until it is closed. */
export const startRequest = (config: LlmConfig) => {
  // Without jitter, retries have the shortest wait.
  const random = Randomness.layer((length) => new Uint8Array(length))
  const runtime = ManagedRuntime.make(Layer.provide(LanguageModel.layer(config), random))
  return {
    classify: (changes: Partial<MessageToClassify> = {}) =>
      runtime.runPromise(
        Effect.flatMap(Classifier, ({ classify }) => Effect.result(classify({ ...toClassify, ...changes })))
      ),
    write: () => runtime.runPromise(Effect.flatMap(ReplyWriter, ({ write }) => Effect.result(write(toAnswer)))),
    close: () => runtime.dispose()
  }
}

/** Returns the failure as plain data. */
export const failureOf = (result: Result.Result<unknown, ModelFailed | ModelMissing>) => {
  if (Result.isSuccess(result)) throw new Error("an answer, where none was expected")
  const { failure } = result
  return failure._tag === "ModelFailed" ? { ...failure } : { reason: "ModelMissing", later: false, use: null }
}

/** A scripted response, including faults that mock servers do not offer. */
export interface Scripted {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** `cut`: the connection is reset during the response. `silent`: no response is sent. */
  readonly fault?: "cut" | "silent"
  /** The response is sent after this promise. */
  readonly after?: Promise<unknown>
}

/** Returns a response of chat completions, as specified. */
export const completion = (message: Readonly<Record<string, unknown>>, finishReason = "stop"): Scripted => ({
  body: {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_772_000_000,
    model: "gpt-test-2026-01-01",
    choices: [
      {
        index: 0,
        message: { role: "assistant", refusal: null, ...message },
        finish_reason: finishReason,
        logprobs: null
      }
    ],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
  }
})

const readBody = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return JSON.parse(Buffer.concat(chunks).toString("utf8"))
}

const say = (response: ServerResponse, { body, fault, headers = {}, status = 200 }: Scripted): void => {
  if (fault === "silent") return
  const text = typeof body === "string" ? body : JSON.stringify(body ?? {})
  const length = fault === "cut" ? { "content-length": String(text.length + 100) } : {}
  response.writeHead(status, { "content-type": "application/json", ...length, ...headers })
  if (fault !== "cut") return void response.end(text)
  response.write(text.slice(0, 20), () => response.destroy())
}

/** Starts a server that sends scripted responses, the last one repeatedly, and records the requests. */
export const startScripted = async (script: ReadonlyArray<Scripted>) => {
  const bodies: Array<Record<string, unknown>> = []
  const open = { now: 0, max: 0 }
  const answerTo = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    open.max = Math.max(open.max, ++open.now)
    bodies.push(await readBody(request))
    const line = script[Math.min(bodies.length, script.length) - 1] ?? {}
    await line.after
    open.now--
    say(response, line)
  }
  const server = createServer((request, response) => void answerTo(request, response))
  await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/v1`,
    bodies,
    open,
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((closed) => void server.close(() => closed()))
    }
  }
}
