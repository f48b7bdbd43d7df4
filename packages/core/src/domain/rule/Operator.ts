import { Schema } from "effect"
import type { FactType } from "./Fact.ts"

/** The operators of comparisons. `operatorsOf` lists the operators for each type of fact. */
export const Operator = Schema.Literals([
  "eq",
  "neq",
  "contains",
  "not_contains",
  "starts_with",
  "ends_with",
  "in",
  "not_in",
  "matches",
  "has_word",
  "gt",
  "gte",
  "lt",
  "lte",
  "between",
  "includes",
  "not_includes",
  "includes_any",
  "includes_all",
  "exists"
])
export type Operator = typeof Operator.Type

/** The operators of each type of fact. */
export const operatorsOf: Readonly<Record<FactType, ReadonlyArray<Operator>>> = {
  string: [
    "eq",
    "neq",
    "contains",
    "not_contains",
    "starts_with",
    "ends_with",
    "in",
    "not_in",
    "matches",
    "has_word",
    "exists"
  ],
  number: ["eq", "neq", "gt", "gte", "lt", "lte", "between", "in", "not_in", "exists"],
  boolean: ["eq", "neq", "exists"],
  list: ["includes", "not_includes", "includes_any", "includes_all", "exists"]
}
