import { Context, Effect, Layer } from "effect"
import type { BlockedNumber } from "../../domain/consent/BlockedNumber.ts"
import { by, keyOf, MemoryState, ofTenant } from "../../memory/MemoryState.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"

/** Numbers that tenants do not want to hear from or write to. Of one who was erased no more than a hash is left. */
export class Blocklist extends Context.Service<
  Blocklist,
  {
    /** In the order of the numbers, after one; hashes are not among them. */
    readonly page: (
      tenantId: string,
      limit: number,
      after: string | null
    ) => Effect.Effect<ReadonlyArray<BlockedNumber>, StoreUnavailable>
    /** Whether any of these spellings or hashes of a number is blocked. */
    readonly holds: (tenantId: string, phones: ReadonlyArray<string>) => Effect.Effect<boolean, StoreUnavailable>
    /** Blocks a number; one that is blocked stays as it is. Answers with what is kept. */
    readonly add: (blocked: BlockedNumber) => Effect.Effect<BlockedNumber, StoreUnavailable>
    /** Takes spellings or hashes of a number off the list; those that are not on it are left alone. */
    readonly remove: (tenantId: string, phones: ReadonlyArray<string>) => Effect.Effect<void, StoreUnavailable>
    readonly count: (tenantId: string) => Effect.Effect<number, StoreUnavailable>
  }
>()("core/port/repository/Blocklist") {
  static readonly layerMemory: Layer.Layer<Blocklist> = Layer.effect(
    Blocklist,
    Effect.map(MemoryState, ({ blockedNumbers }) =>
      Blocklist.of({
        page: (tenantId, limit, after) =>
          Effect.sync(() =>
            ofTenant(blockedNumbers, tenantId)
              .filter(({ phone }) => phone.startsWith("+") && (after === null || phone > after))
              .toSorted(by(({ phone }) => phone))
              .slice(0, limit)
          ),
        holds: (tenantId, phones) =>
          Effect.sync(() => phones.some((phone) => blockedNumbers.has(keyOf(tenantId, phone)))),
        add: (blocked) =>
          Effect.sync(() => {
            const key = keyOf(blocked.tenantId, blocked.phone)
            const kept = blockedNumbers.get(key) ?? blocked
            blockedNumbers.set(key, kept)
            return kept
          }),
        remove: (tenantId, phones) =>
          Effect.sync(() => {
            for (const phone of phones) blockedNumbers.delete(keyOf(tenantId, phone))
          }),
        count: (tenantId) => Effect.sync(() => ofTenant(blockedNumbers, tenantId).length)
      })
    )
  ).pipe(Layer.provide(MemoryState.layer))
}
