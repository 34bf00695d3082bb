/** The least-squares slope of log y on log x: y grows as x to that power. 1 is linear, 2 quadratic. */
export function growthExponent(points: readonly (readonly [x: number, y: number])[]): number {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  const mean = (axis: 0 | 1) => logs.reduce((total, point) => total + point[axis], 0) / logs.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const covariance = logs.reduce((total, [x, y]) => total + (x - meanX) * (y - meanY), 0);
  const variance = logs.reduce((total, [x]) => total + (x - meanX) ** 2, 0);
  return covariance / variance;
}
