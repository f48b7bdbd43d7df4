import { Data } from "effect"

/** V8 extends the constructor with the number of stack frames that an error captures. */
const traced: ErrorConstructor & { stackTraceLimit?: number } = Error

/**
 * Like `Data.TaggedError`, but instances have no stack trace. Errors are values here: callers match their tag, and no
 * code reads where an error was created. Capturing a stack takes 5 to 9 µs, which is more than a primary-key lookup.
 */
export const TaggedError: typeof Data.TaggedError = (tag) =>
  new Proxy(Data.TaggedError(tag), {
    construct: (target, args, created) => {
      const { stackTraceLimit } = traced
      traced.stackTraceLimit = 0
      try {
        return Reflect.construct(target, args, created)
      } finally {
        traced.stackTraceLimit = stackTraceLimit ?? 10
      }
    }
  })
