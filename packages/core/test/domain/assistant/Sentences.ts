/**
 * An expression of time and the wall time at the place that it means. `moved` follows where nobody calls then; `ask` where
 * it has to lead to a question.
 */
export type Sentence = readonly [expression: string, means: string]
