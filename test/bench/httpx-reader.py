# A plain httpx client: as many streams, each line parsed as JSON, tokens from usage. No display, no server polling.
#   python3 httpx-reader.py <url> <streams> <seconds>    prints what it saw as one line of JSON
import asyncio
import json
import resource
import sys
import time

import httpx

url, streams, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
chunks = 0
settle_seconds = 2.0


async def read(client, begun):
    global chunks
    body = {
        "model": "truth",
        "max_tokens": 1_000_000,
        "stream": True,
        "stream_options": {"include_usage": True, "continuous_usage_stats": True},
        "messages": [{"role": "user", "content": "x"}],
    }
    tokens = 0
    async with client.stream("POST", url + "/v1/chat/completions", json=body) as response:
        async for line in response.aiter_lines():
            if not line.startswith("data: ") or line == "data: [DONE]":
                continue
            chunk = json.loads(line[6:])
            usage = chunk.get("usage")
            if usage and usage["completion_tokens"] > tokens:
                stamp = time.perf_counter()
                if tokens == 0:
                    begun.append(stamp)
                tokens = usage["completion_tokens"]
                chunks += 1


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


async def main():
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx.AsyncClient(timeout=None, limits=limits) as client:
        begun = []
        tasks = [asyncio.create_task(read(client, begun)) for _ in range(streams)]
        while len(begun) < streams:
            await asyncio.sleep(0.05)
        await asyncio.sleep(settle_seconds)
        cpu, before, started = cpu_seconds(), chunks, time.perf_counter()
        await asyncio.sleep(seconds)
        spent, wall, counted = cpu_seconds() - cpu, time.perf_counter() - started, chunks - before
        result = {
            "chunksPerSecond": counted / wall,
            "cpuMicrosecondsPerChunk": spent / counted * 1e6,
            "cores": spent / wall,
        }
        print(json.dumps(result), flush=True)
        for task in tasks:
            task.cancel()


asyncio.run(main())
