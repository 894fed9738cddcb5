"""What is printed for Spree!"""
