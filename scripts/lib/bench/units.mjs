export const inSeconds = (seconds) => `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
export const inMegabytes = (bytes) => `${Math.round(bytes / 1e6)} MB`;
export const inPercent = (share) => `${(share * 100).toFixed(1)} %`;
export const asRatio = (value) => `${value.toFixed(2)} ×`;
export const whole = (unit) => (value) => `${Math.round(value)} ${unit}`;
