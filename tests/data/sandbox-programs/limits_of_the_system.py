import resource, os
soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
resource.setrlimit(resource.RLIMIT_STACK, (soft, hard))
print(os.cpu_count() > 0, soft == 8 * 1024 * 1024)
