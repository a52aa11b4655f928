import asyncio
async def f(n):
    await asyncio.sleep(0.001 * n)
    return n
async def main():
    print(await asyncio.gather(*(f(n) for n in range(5))))
asyncio.run(main())
