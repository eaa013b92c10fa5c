const TELL = `process.on('exit',()=>console.error('parser:'+process.moduleLoadList.some((name)=>name.includes('amaro'))))`;

/** Lets a process write to its errors, at its end, whether it has loaded Node's TypeScript parser: `parser:true`. */
export const TELL_PARSER = `--import=data:text/javascript,${encodeURIComponent(TELL)}`;
