// Stands in for the mip filter's JavaScript twin in the small entry, which makes no levels.

export function halve(): never {
  throw new Error('the small entry makes no levels');
}
