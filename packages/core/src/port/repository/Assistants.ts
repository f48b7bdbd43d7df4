import { Context, Effect, Layer } from "effect"
import type { AssistantAccess } from "../../domain/assistant/AssistantAccess.ts"
import type { ToolAnswer } from "../../domain/assistant/ToolCall.ts"
import { keyOf, MemoryState } from "../../memory/MemoryState.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"

/** Voice assistants of tenants: who they are, and what they have been answered. */
export class Assistants extends Context.Service<
  Assistants,
  {
    readonly find: (tenantId: string) => Effect.Effect<AssistantAccess | null, StoreUnavailable>
    /** Replaces what the tenant has. */
    readonly save: (access: AssistantAccess) => Effect.Effect<void, StoreUnavailable>
    /** False: there was nothing. */
    readonly remove: (tenantId: string) => Effect.Effect<boolean, StoreUnavailable>
    /** What the same question was answered before; null: it is new, or forgotten. */
    readonly answer: (tenantId: string, answerId: string) => Effect.Effect<ToolAnswer | null, StoreUnavailable>
    /** Keeps an answer for whoever asks again. Called in the unit of work that did what was asked. */
    readonly keepAnswer: (
      tenantId: string,
      answerId: string,
      answer: ToolAnswer,
      now: number
    ) => Effect.Effect<void, StoreUnavailable>
    /** Forgets answers of a tenant from before a time, `limit` at most. */
    readonly forget: (tenantId: string, before: number, limit: number) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/Assistants") {
  static readonly layerMemory: Layer.Layer<Assistants> = Layer.effect(
    Assistants,
    Effect.map(MemoryState, ({ assistantAnswers, assistants }) =>
      Assistants.of({
        find: (tenantId) => Effect.sync(() => assistants.get(tenantId) ?? null),
        save: (access) => Effect.sync(() => void assistants.set(access.tenantId, access)),
        remove: (tenantId) => Effect.sync(() => assistants.delete(tenantId)),
        answer: (tenantId, answerId) =>
          Effect.sync(() => assistantAnswers.get(keyOf(tenantId, answerId))?.answer ?? null),
        keepAnswer: (tenantId, answerId, answer, now) =>
          Effect.sync(() => void assistantAnswers.set(keyOf(tenantId, answerId), { tenantId, answer, at: now })),
        forget: (tenantId, before, limit) =>
          Effect.sync(() => {
            const old = [...assistantAnswers].filter(([, one]) => one.tenantId === tenantId && one.at < before)
            const oldest = old.toSorted(([, one], [, other]) => one.at - other.at).slice(0, limit)
            for (const [key] of oldest) assistantAnswers.delete(key)
          })
      })
    )
  ).pipe(Layer.provide(MemoryState.layer))
}
